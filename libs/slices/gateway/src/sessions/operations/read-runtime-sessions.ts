import type { AnyDatabase } from '@steward/database';
import { isUuid, toStorableText } from '@steward/runtime';
import type { RuntimeSession } from '../runtime-session.ts';
import {
  findSession,
  findSessions,
  findSessionsNamed,
  listSessions,
  toRuntimeSession,
  type SessionListFilter,
} from '../store/runtime-session.store.ts';

/** One session, or undefined when the account has none of this id. */
export async function readRuntimeSession(
  db: AnyDatabase,
  key: { readonly accountId: string; readonly sessionId: string },
): Promise<RuntimeSession | undefined> {
  const row = await findSession(db, key.accountId, key.sessionId);
  return row === undefined ? undefined : toRuntimeSession(row);
}

/** Up to `limit` sessions, newest start first. */
export async function listRuntimeSessions(db: AnyDatabase, filter: SessionListFilter): Promise<RuntimeSession[]> {
  const { runtimePrincipalId } = filter;
  const storable = runtimePrincipalId === undefined ? undefined : toStorableText(runtimePrincipalId);
  return (await listSessions(db, { ...filter, runtimePrincipalId: storable })).map(toRuntimeSession);
}

/** The sessions of these ids that belong to the account, in no order: what a search answer is filled in from. */
export async function readRuntimeSessionsById(
  db: AnyDatabase,
  accountId: string,
  sessionIds: readonly string[],
): Promise<RuntimeSession[]> {
  return (await findSessions(db, accountId, sessionIds)).map(toRuntimeSession);
}

/** An API key may have opened thousands of sessions; a search shows one page. */
const MAX_SESSIONS_NAMED = 50;

/**
 * The sessions a text names exactly: by session id, source id, reference, execution id or API key id (the identifier
 * lane of the search, decisions.md section 4). Newest start first, at most 50.
 */
export async function findRuntimeSessionsByIdentifier(
  db: AnyDatabase,
  accountId: string,
  text: string,
): Promise<RuntimeSession[]> {
  const uuid = isUuid(text) ? text : undefined;
  const key = { accountId, text: toStorableText(text), uuid, limit: MAX_SESSIONS_NAMED };
  return (await findSessionsNamed(db, key)).map(toRuntimeSession);
}
