import type { Principal } from './principal.ts';

/** Counters of an account's configuration, by context: equal counters mean that nothing was changed in between. */
export type RevisionName = 'models' | 'budgets' | 'policies' | 'toolServers' | 'trackers';

/** Facts of an account that are read with the credential of a request. */
export interface Revisions extends Readonly<Partial<Record<RevisionName, number>>> {
  /** Whether notes of people wait for an agent of the account. */
  readonly hasNotes?: boolean;
  /** Position of the primary's write-ahead log behind everything that was committed before the request; with a replica. */
  readonly walPosition?: string | null;
}

/**
 * Maximum age of data that was read with a credential and is used in a decision: a request that waited reads it again.
 */
export const FRESH_FOR_MS = 250;

/** Whether data that was read with the credential is still current enough for a decision. */
export function isFresh({ revisionsReadAt }: Pick<Principal, 'revisionsReadAt'>): boolean {
  return revisionsReadAt !== undefined && performance.now() - revisionsReadAt <= FRESH_FOR_MS;
}

/** A counter for a decision of this moment; undefined: it has to be read again. */
export function readFreshRevision(
  principal: Pick<Principal, 'revisions' | 'revisionsReadAt'>,
  name: RevisionName,
): number | undefined {
  return isFresh(principal) ? principal.revisions?.[name] : undefined;
}

/** A counter with the monotonic time before which it was read, in milliseconds. */
export interface KnownRevision {
  readonly revision: number;
  readonly readAt: number;
}

/** Returns the counter with its time, for a decision that takes long itself; undefined like `readFreshRevision`. */
export function findFreshRevision(
  principal: Pick<Principal, 'revisions' | 'revisionsReadAt'>,
  name: RevisionName,
): KnownRevision | undefined {
  const revision = readFreshRevision(principal, name);
  return revision === undefined ? undefined : { revision, readAt: principal.revisionsReadAt as number };
}

/** The caller of a request that waited for something: everything is read again. */
export function withoutRevisions(principal: Principal): Principal {
  return { ...principal, revisions: undefined, revisionsReadAt: undefined };
}
