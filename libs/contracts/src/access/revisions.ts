import type { Principal } from './principal.ts';

/** Name of a counter that changes whenever one part of an account's configuration changes. */
export type RevisionName = 'models' | 'budgets' | 'policies' | 'toolServers' | 'trackers';

/** Data of an account that is read together with the credential of a request. */
export interface Revisions extends Readonly<Partial<Record<RevisionName, number>>> {
  /** Whether notes from people are waiting for an agent of the account. */
  readonly hasNotes?: boolean;
  /**
   * Position in the primary's write-ahead log after all transactions that were committed before the request; set only
   * if there is a replica.
   */
  readonly walPosition?: string | null;
}

/**
 * Maximum age in milliseconds of data that was read with a credential and is used in a decision: older data is read
 * again.
 */
export const FRESH_FOR_MS = 250;

/** Returns whether data that was read with the credential is still current enough for a decision. */
export function isFresh({ revisionsReadAt }: Pick<Principal, 'revisionsReadAt'>): boolean {
  return revisionsReadAt !== undefined && performance.now() - revisionsReadAt <= FRESH_FOR_MS;
}

/** Returns a counter that is current enough for a decision made now; undefined if it has to be read again. */
export function readFreshRevision(
  principal: Pick<Principal, 'revisions' | 'revisionsReadAt'>,
  name: RevisionName,
): number | undefined {
  return isFresh(principal) ? principal.revisions?.[name] : undefined;
}

/** A counter with the monotonic time, in milliseconds, just before it was read. */
export interface KnownRevision {
  readonly revision: number;
  readonly readAt: number;
}

/**
 * Returns the counter and the time at which it was read, for a decision that may itself take long; undefined in the
 * same cases as `readFreshRevision`.
 */
export function findFreshRevision(
  principal: Pick<Principal, 'revisions' | 'revisionsReadAt'>,
  name: RevisionName,
): KnownRevision | undefined {
  const revision = readFreshRevision(principal, name);
  return revision === undefined ? undefined : { revision, readAt: principal.revisionsReadAt as number };
}

/** Returns the same caller without counters, for a request that had to wait: all counters are then read again. */
export function withoutRevisions(principal: Principal): Principal {
  return { ...principal, revisions: undefined, revisionsReadAt: undefined };
}
