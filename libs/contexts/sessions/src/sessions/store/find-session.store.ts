import { sql } from 'kysely';
import { executePrepared, type AnyDatabase, type TimeBounds } from '@steward/database';
import { selectLabelledSessions } from '@steward/search';
import type { RuntimeSession } from '../runtime-session.ts';
import { tables, type RuntimeSessionRow } from '../../schema.ts';

export function toRuntimeSession(row: RuntimeSessionRow): RuntimeSession {
  return {
    id: row.id,
    accountId: row.account_id,
    sessionSourceType: row.session_source_type,
    sessionSourceId: row.session_source_id,
    sessionReference: row.session_reference,
    runtimePrincipalType: row.runtime_principal_type,
    runtimePrincipalId: row.runtime_principal_id,
    runtimePrincipalName: row.runtime_principal_name,
    principalVerified: row.principal_verified,
    flowId: row.flow_id,
    executionId: row.execution_id,
    apiKeyId: row.api_key_id,
    title: row.title,
    titleOrigin: row.title_origin,
    titleHint: row.title_hint,
    isHintCopied: row.title_hint_copied,
    titleAskedOf: row.title_asked_of,
    summary: row.summary,
    labels: row.labels,
    startedAt: row.started_at,
    lastActivityAt: row.last_activity_at,
    endedAt: row.ended_at,
    endReason: row.end_reason,
    legalHold: row.legal_hold,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export const selectSessions = (db: AnyDatabase, accountId: string) =>
  tables(db).selectFrom('gateway.runtime_session').selectAll().where('account_id', '=', accountId);

export async function findSession(
  db: AnyDatabase,
  accountId: string,
  sessionId: string,
): Promise<RuntimeSessionRow | undefined> {
  return selectSessions(db, accountId).where('id', '=', sessionId).executeTakeFirst();
}

/** Returns those of the given sessions that belong to the account. */
export async function findSessions(
  db: AnyDatabase,
  accountId: string,
  sessionIds: readonly string[],
): Promise<RuntimeSessionRow[]> {
  return selectSessions(db, accountId)
    .where('id', '=', sql<string>`any (${[...sessionIds]}::uuid[])`)
    .execute();
}

/** Returns the session of a source. */
export async function findSessionBySource(
  db: AnyDatabase,
  key: { readonly accountId: string; readonly sourceType: string; readonly sourceId: string },
): Promise<RuntimeSessionRow | undefined> {
  return selectSessions(db, key.accountId)
    .where('session_source_type', '=', key.sourceType)
    .where('session_source_id', '=', key.sourceId)
    .executeTakeFirst();
}

const [FIRST_ID, LAST_ID] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

/** Key of a session: its source, or the name of a caller; such a name refers to the caller's open session. */
export interface CurrentSessionKey {
  readonly accountId: string;
  readonly sourceType: string;
  readonly source: { readonly id: string } | { readonly current: string };
  /** Id of the API key that opened the caller's session: other callers may have used the same name. */
  readonly apiKeyId: string | null;
}

/**
 * Returns sessions in the order of the keys, read in one statement. The session of a caller is the latest open session
 * that was opened with the API key and whose source id consists of the caller's name, a colon and an id. It is found by
 * an index range scan; the order of the source ids is the same in any collation, since all these source ids have the
 * same form. A lateral join is used, so that the plan looks up the sessions one by one, whatever the size of the table.
 */
export async function findCurrentSessions(
  db: AnyDatabase,
  keys: readonly CurrentSessionKey[],
): Promise<(RuntimeSessionRow | undefined)[]> {
  const column = <T>(read: (key: CurrentSessionKey) => T): T[] => keys.map(read);
  const { rows } = await executePrepared(
    db,
    'sessions.find-current',
    sql<RuntimeSessionRow & { place: number }>`
    select found.*, k.place from unnest(
      ${column(({ accountId }) => accountId)}::uuid[], ${column(({ sourceType }) => sourceType)}::text[],
      ${column(({ source }) => ('id' in source ? source.id : null))}::text[],
      ${column(({ source }) => ('id' in source ? null : `${source.current}:`))}::text[],
      ${column(({ apiKeyId }) => apiKeyId)}::uuid[]
    ) with ordinality as k (account_id, source_type, source_id, name, api_key_id, place)
    cross join lateral (
      (select s.* from gateway.runtime_session s
        where s.account_id = k.account_id and s.session_source_type = k.source_type and s.session_source_id = k.source_id)
      union all
      (select s.* from gateway.runtime_session s
        where s.account_id = k.account_id and s.session_source_type = k.source_type
          and s.session_source_id >= k.name || ${FIRST_ID}::text and s.session_source_id <= k.name || ${LAST_ID}::text
          and starts_with(s.session_source_id, k.name) and s.ended_at is null and s.api_key_id is not distinct from k.api_key_id
        order by s.session_source_id desc limit 1)
    ) found
  `,
  );
  const found = new Map(rows.map(({ place, ...row }) => [place, row]));
  return keys.map((_, index) => found.get(index + 1));
}

/** Fields of a session that search results contain. */
export type SessionHeading = Pick<
  RuntimeSession,
  | 'id'
  | 'sessionSourceType'
  | 'sessionSourceId'
  | 'sessionReference'
  | 'title'
  | 'startedAt'
  | 'lastActivityAt'
  | 'endedAt'
>;

export async function findHeadings(
  db: AnyDatabase,
  accountId: string,
  sessionIds: readonly string[],
): Promise<SessionHeading[]> {
  if (sessionIds.length === 0) return [];
  // Each session is looked up by its key, because otherwise a generic plan would read all sessions of an account (20 ms
  // for 25,000).
  const result = await executePrepared(
    db,
    'sessions.headings',
    sql<SessionHeading>`
    select session.* from unnest(${[...sessionIds]}::uuid[]) wanted (id) cross join lateral (
      select id, session_source_type as "sessionSourceType", session_source_id as "sessionSourceId",
        session_reference as "sessionReference", title, started_at as "startedAt", last_activity_at as "lastActivityAt",
        ended_at as "endedAt"
      from gateway.runtime_session where account_id = ${accountId} and id = wanted.id limit 1
    ) session
  `,
  );
  return result.rows;
}

/** Returns the current session of a managed agent: its most recently used open one. */
export async function findActiveSessionOfPrincipal(
  db: AnyDatabase,
  accountId: string,
  runtimePrincipalId: string,
): Promise<RuntimeSessionRow | undefined> {
  return selectSessions(db, accountId)
    .where('runtime_principal_id', '=', runtimePrincipalId)
    .where('ended_at', 'is', null)
    .orderBy('last_activity_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Returns whether there is a session of the agent, even an ended one. */
export async function hasSessionOfPrincipal(
  db: AnyDatabase,
  accountId: string,
  runtimePrincipalId: string,
): Promise<boolean> {
  const found = await tables(db)
    .selectFrom('gateway.runtime_session')
    .select('id')
    .where('account_id', '=', accountId)
    .where('runtime_principal_id', '=', runtimePrincipalId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Filters of a list of sessions; the time bounds apply to `started_at`. */
export interface SessionListFilter extends TimeBounds {
  readonly accountId: string;
  readonly active?: boolean | undefined;
  readonly runtimePrincipalId?: string | undefined;
  /** Ids of agents, more than one if the agent was merged; sessions of any of these agents match. */
  readonly runtimePrincipalIds?: readonly string[] | undefined;
  readonly flowId?: string | undefined;
  readonly label?: string | undefined;
  /** Only sessions that were stored at this time or earlier are returned. */
  readonly storedBy?: Date | undefined;
  /** Only sessions that were written to at this time or later are returned. */
  readonly touchedSince?: Date | undefined;
  readonly after?: { readonly startedAt: Date; readonly id: string } | undefined;
  readonly limit: number;
}

/** Lists sessions, newest start first. */
export async function listSessions(db: AnyDatabase, filter: SessionListFilter): Promise<RuntimeSessionRow[]> {
  const {
    accountId,
    active,
    runtimePrincipalId,
    runtimePrincipalIds,
    flowId,
    label,
    since,
    until,
    storedBy,
    touchedSince,
    after,
  } = filter;
  let query = selectSessions(db, accountId).orderBy('started_at', 'desc').orderBy('id', 'desc').limit(filter.limit);
  if (active !== undefined) query = query.where('ended_at', active ? 'is' : 'is not', null);
  if (runtimePrincipalId !== undefined) query = query.where('runtime_principal_id', '=', runtimePrincipalId);
  if (runtimePrincipalIds !== undefined) query = query.where('runtime_principal_id', 'in', [...runtimePrincipalIds]);
  if (flowId !== undefined) query = query.where('flow_id', '=', flowId);
  if (label !== undefined) query = query.where(sql<boolean>`id in (${selectLabelledSessions(accountId, label)})`);
  if (since !== undefined) query = query.where('started_at', '>=', since);
  if (until !== undefined) query = query.where('started_at', '<', until);
  if (storedBy !== undefined) query = query.where('created_at', '<=', storedBy);
  if (touchedSince !== undefined) query = query.where('updated_at', '>=', touchedSince);
  if (after !== undefined)
    query = query.where(sql<boolean>`(started_at, id) < (${after.startedAt}, ${after.id}::uuid)`);
  return query.execute();
}

/**
 * Returns the time of the newest content among sessions that started before a position; undefined if there are no such
 * sessions. Reads all of these sessions, which takes 11 to 31 ms for 100,000; a walk calls this function once or twice
 * per pass. There is no index, since it would contain a time that changes with every content write.
 */
export async function findLatestActivityBefore(
  db: AnyDatabase,
  filter: Pick<SessionListFilter, 'accountId' | 'touchedSince'> & {
    readonly before: { readonly startedAt: Date; readonly id: string };
  },
): Promise<Date | undefined> {
  const { accountId, before, touchedSince } = filter;
  let query = tables(db)
    .selectFrom('gateway.runtime_session')
    .select(({ fn }) => fn.max('last_activity_at').as('latest'))
    .where('account_id', '=', accountId)
    .where(sql<boolean>`(started_at, id) < (${before.startedAt}, ${before.id}::uuid)`);
  if (touchedSince !== undefined) query = query.where('updated_at', '>=', touchedSince);
  const row = await query.executeTakeFirst();
  return (row?.latest as Date | null | undefined) ?? undefined;
}

/**
 * Returns, newest start first, the sessions that the string identifies exactly: by id, source id, reference, execution
 * or API key. If the string is a UUID, also returns the sessions in `sessionIds`.
 */
export async function findSessionsNamed(
  db: AnyDatabase,
  key: {
    readonly accountId: string;
    readonly text: string;
    readonly uuid: string | undefined;
    readonly sessionIds: readonly string[];
    readonly limit: number;
  },
): Promise<RuntimeSessionRow[]> {
  const byUuid =
    key.uuid === undefined
      ? sql``
      : sql`
          union select id from gateway.runtime_session where account_id = ${key.accountId} and id = ${key.uuid}::uuid
          union select id from gateway.runtime_session where account_id = ${key.accountId} and execution_id = ${key.uuid}::uuid
          union (
            select id from gateway.runtime_session where account_id = ${key.accountId} and api_key_id = ${key.uuid}::uuid
            order by started_at desc limit ${key.limit}
          )
          union select unnest(${[...key.sessionIds]}::uuid[])`;
  const result = await executePrepared(
    db,
    key.uuid === undefined ? 'sessions.named' : 'sessions.named-by-id',
    sql<RuntimeSessionRow>`
    select s.*
    from gateway.runtime_session s
    where s.account_id = ${key.accountId} and s.id in (
      select id from gateway.runtime_session where account_id = ${key.accountId} and session_source_id = ${key.text}
      union select id from gateway.runtime_session where account_id = ${key.accountId} and session_reference = ${key.text}
      ${byUuid}
    )
    order by s.started_at desc, s.id desc
    limit ${key.limit}
  `,
  );
  return result.rows;
}
