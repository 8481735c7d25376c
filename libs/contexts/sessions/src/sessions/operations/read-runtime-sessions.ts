import { isUuid } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { toStorableText } from '@steward/text';
import type { RuntimeSession } from '../runtime-session.ts';
import {
  findHeadings,
  findSession,
  findSessions,
  findSessionsNamed,
  listSessions,
  toRuntimeSession,
  type SessionHeading,
  type SessionListFilter,
} from '../store/find-session.store.ts';

/** Returns one session; undefined if the account has no session with this id. */
export async function readRuntimeSession(
  db: AnyDatabase,
  key: { readonly accountId: string; readonly sessionId: string },
): Promise<RuntimeSession | undefined> {
  const row = await findSession(db, key.accountId, key.sessionId);
  return row === undefined ? undefined : toRuntimeSession(row);
}

/** Returns the account's sessions with these ids, by session id. */
export async function readRuntimeSessions(
  db: AnyDatabase,
  key: { readonly accountId: string; readonly sessionIds: readonly string[] },
): Promise<ReadonlyMap<string, RuntimeSession>> {
  const rows = await findSessions(db, key.accountId, key.sessionIds);
  return new Map(rows.map((row) => [row.id, toRuntimeSession(row)]));
}

/** Returns up to `limit` sessions, newest start first. */
export async function listRuntimeSessions(db: AnyDatabase, filter: SessionListFilter): Promise<RuntimeSession[]> {
  const { runtimePrincipalId } = filter;
  const storable = runtimePrincipalId === undefined ? undefined : toStorableText(runtimePrincipalId);
  return (await listSessions(db, { ...filter, runtimePrincipalId: storable })).map(toRuntimeSession);
}

/** Returns the account's sessions with these ids, by session id, with only the fields that search results contain. */
export async function readSessionHeadings(
  db: AnyDatabase,
  key: { readonly accountId: string; readonly sessionIds: readonly string[] },
): Promise<ReadonlyMap<string, SessionHeading>> {
  const headings = await findHeadings(db, key.accountId, key.sessionIds);
  return new Map(headings.map((heading) => [heading.id, heading]));
}

/**
 * Returns, newest start first, the sessions that a string identifies exactly: by session id, source id, reference,
 * execution id or the id of the API key that opened them (the identifier lane of the search, SRCH-9). If the string is
 * a UUID, also returns the sessions in `sessionIds`.
 */
export async function findRuntimeSessionsByIdentifier(
  db: AnyDatabase,
  key: {
    readonly accountId: string;
    readonly text: string;
    readonly limit: number;
    /** Ids of further sessions that the string identifies. */
    readonly sessionIds?: readonly string[];
  },
): Promise<RuntimeSession[]> {
  const { sessionIds = [] } = key;
  const uuid = isUuid(key.text) ? key.text : undefined;
  return (await findSessionsNamed(db, { ...key, text: toStorableText(key.text), uuid, sessionIds })).map(
    toRuntimeSession,
  );
}
