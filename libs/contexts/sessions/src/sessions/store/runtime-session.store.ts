import { sql } from 'kysely';
import { executePrepared, type AnyTransaction } from '@steward/database';
import type { SessionEndReason } from '@steward/contracts';
import type { TitleOrigin } from '../runtime-session.ts';
import { tables, type RuntimeSessionRow } from '../../schema.ts';
import { selectSessions } from './find-session.store.ts';

/**
 * Precision of `last_seen_at` in seconds. The column is indexed, so changing it on every content write would touch
 * every index of the row; the idle sweep adds this interval to the timeout and therefore never ends a session early.
 */
export const LAST_SEEN_GRAIN_SECONDS = 30;

export interface UpsertValues {
  readonly row: Omit<
    RuntimeSessionRow,
    'title_hint' | 'title_hint_copied' | 'title_asked_of' | 'ended_at' | 'end_reason' | 'labels' | 'legal_hold'
  > & {
    /** New labels; undefined leaves those of an existing session unchanged. */
    readonly labels: readonly string[] | undefined;
  };
  /** Effect on the start of an existing session. */
  readonly start: 'kept' | 'replaced' | 'earliest';
}

export interface UpsertedSession {
  readonly row: RuntimeSessionRow;
  readonly created: boolean;
  /** The previous start of an existing session if `start` is `replaced`; otherwise the start of `row`. */
  readonly formerStart: Date;
}

/**
 * Inserts the session or, if (account, source type, source id) exists, replaces the given fields. The API key of an
 * existing session is kept, and so is a title set by a client if the new one is imported. If a session was opened with
 * its agent's own key, the agent is not replaced, so that other callers cannot attribute the session to a different
 * agent.
 */
export async function upsertSession(trx: AnyTransaction, values: UpsertValues): Promise<UpsertedSession> {
  const { row, start } = values;
  const former = start === 'replaced' ? await lockSessionOfSource(trx, row) : undefined;
  const result = await sql<RuntimeSessionRow & { created: boolean }>`
    insert into gateway.runtime_session as s (
      account_id, id, session_source_type, session_source_id, session_reference,
      runtime_principal_type, runtime_principal_id, runtime_principal_name, principal_verified, flow_id, execution_id, api_key_id,
      title, title_origin, summary, labels, started_at, last_activity_at, last_seen_at, created_at, updated_at
    ) values (
      ${row.account_id}, ${row.id}, ${row.session_source_type}, ${row.session_source_id}, ${row.session_reference},
      ${row.runtime_principal_type}, ${row.runtime_principal_id}, ${row.runtime_principal_name}, ${row.principal_verified},
      ${row.flow_id}, ${row.execution_id}, ${row.api_key_id},
      ${row.title}, ${row.title_origin}, ${row.summary}, ${[...(row.labels ?? [])]}::text[],
      ${row.started_at}, ${row.last_activity_at}, ${row.last_seen_at}, ${row.created_at}, ${row.updated_at}
    )
    on conflict on constraint runtime_session_source_key do update set
      session_reference = coalesce(excluded.session_reference, s.session_reference),
      runtime_principal_type = case when s.principal_verified then s.runtime_principal_type
        else coalesce(excluded.runtime_principal_type, s.runtime_principal_type) end,
      runtime_principal_id = case when s.principal_verified then s.runtime_principal_id
        else coalesce(excluded.runtime_principal_id, s.runtime_principal_id) end,
      runtime_principal_name = case when s.principal_verified then s.runtime_principal_name
        else coalesce(excluded.runtime_principal_name, s.runtime_principal_name) end,
      flow_id = coalesce(excluded.flow_id, s.flow_id),
      execution_id = coalesce(excluded.execution_id, s.execution_id),
      api_key_id = coalesce(s.api_key_id, excluded.api_key_id),
      title = case when s.title_origin = 'client' and excluded.title_origin = 'imported' then s.title
        else coalesce(excluded.title, s.title) end,
      title_origin = case when s.title_origin = 'client' then s.title_origin
        else coalesce(excluded.title_origin, s.title_origin) end,
      summary = coalesce(excluded.summary, s.summary),
      labels = case when ${row.labels !== undefined}::boolean then excluded.labels else s.labels end,
      started_at = case ${start}::text when 'replaced' then excluded.started_at
        when 'earliest' then least(s.started_at, excluded.started_at) else s.started_at end,
      last_seen_at = greatest(s.last_seen_at, excluded.last_seen_at),
      updated_at = excluded.updated_at
    returning s.*, s.xmax = 0 as created
  `.execute(trx);
  const found = result.rows[0];
  if (found === undefined) throw new Error('upsert of a runtime session returned no row');
  return { row: found, created: found.created, formerStart: former?.started_at ?? found.started_at };
}

async function lockSessionOfSource(
  trx: AnyTransaction,
  row: UpsertValues['row'],
): Promise<RuntimeSessionRow | undefined> {
  return selectSessions(trx, row.account_id)
    .where('session_source_type', '=', row.session_source_type)
    .where('session_source_id', '=', row.session_source_id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Returns the session, with its row locked until the transaction ends. The lock does not block readers or foreign-key
 * checks.
 */
export async function lockSession(
  trx: AnyTransaction,
  accountId: string,
  sessionId: string,
): Promise<RuntimeSessionRow | undefined> {
  const statement = selectSessions(trx, accountId).where('id', '=', sessionId).forNoKeyUpdate().compile();
  const { rows } = await executePrepared(trx, 'sessions.lock', statement);
  return rows[0];
}

/** Locks and returns sessions, except those that another transaction has locked, so the function never waits. */
export async function lockFreeSessions(
  trx: AnyTransaction,
  keys: readonly { readonly accountId: string; readonly sessionId: string }[],
): Promise<RuntimeSessionRow[]> {
  const { rows } = await executePrepared(
    trx,
    'sessions.lock-free',
    sql<RuntimeSessionRow>`
    select s.* from unnest(${keys.map(({ accountId }) => accountId)}::uuid[], ${keys.map(({ sessionId }) => sessionId)}::uuid[])
      as k (account_id, id)
    join gateway.runtime_session s on s.account_id = k.account_id and s.id = k.id
    for no key update of s skip locked
  `,
  );
  return rows;
}

/**
 * Takes an advisory lock on the source until the transaction ends, so that no other transaction opens a session of the
 * source.
 */
export async function lockSource(trx: AnyTransaction, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`session source ${name}`}, 0))`.execute(trx);
}

export interface SessionChange {
  readonly title?: string | null;
  readonly summary?: string | null;
  readonly labels?: readonly string[];
  readonly legalHold?: boolean;
}

/** Replaces the given fields of a session; null removes them. */
export async function changeSession(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly sessionId: string; readonly now: Date },
  change: SessionChange,
): Promise<RuntimeSessionRow | undefined> {
  const { title, summary, labels, legalHold } = change;
  return tables(trx)
    .updateTable('gateway.runtime_session')
    .set({
      updated_at: key.now,
      ...(title === undefined ? {} : { title, title_origin: title === null ? null : ('client' satisfies TitleOrigin) }),
      ...(summary === undefined ? {} : { summary }),
      ...(labels === undefined ? {} : { labels: [...labels] }),
      ...(legalHold === undefined ? {} : { legal_hold: legalHold }),
    })
    .where('account_id', '=', key.accountId)
    .where('id', '=', key.sessionId)
    .returningAll()
    .executeTakeFirst();
}

/** Ends the session if it is still open; returns undefined if it is not open or does not exist. */
export async function closeSession(
  trx: AnyTransaction,
  key: {
    readonly accountId: string;
    readonly sessionId: string;
    readonly now: Date;
    readonly reason: SessionEndReason;
  },
): Promise<RuntimeSessionRow | undefined> {
  return tables(trx)
    .updateTable('gateway.runtime_session')
    .set({ ended_at: key.now, end_reason: key.reason, updated_at: key.now })
    .where('account_id', '=', key.accountId)
    .where('id', '=', key.sessionId)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Ends an open session if its end time is known, or if its last activity was before `idleBefore` and before its row was
 * created.
 */
export async function closePastSession(
  trx: AnyTransaction,
  key: {
    readonly accountId: string;
    readonly sessionId: string;
    readonly endedAt: Date | undefined;
    readonly idleBefore: Date | undefined;
    readonly now: Date;
  },
): Promise<boolean> {
  const { endedAt = null, idleBefore = null } = key;
  const result = await sql`
    update gateway.runtime_session set
      ended_at = greatest(started_at, coalesce(${endedAt}::timestamptz, last_activity_at)),
      end_reason = case when ${endedAt}::timestamptz is null then 'idle' else 'operator' end,
      updated_at = ${key.now}
    where account_id = ${key.accountId} and id = ${key.sessionId} and ended_at is null
      and (
        ${endedAt}::timestamptz is not null
        or (last_activity_at < ${idleBefore}::timestamptz and last_activity_at < created_at)
      )
  `.execute(trx);
  return result.numAffectedRows === 1n;
}

/**
 * Ends up to `limit` sessions, of all accounts, that were last seen before `seenBefore`; rows locked by another process
 * are skipped.
 */
export async function closeIdleSessions(
  trx: AnyTransaction,
  claim: { readonly seenBefore: Date; readonly now: Date; readonly limit: number },
): Promise<RuntimeSessionRow[]> {
  const result = await sql<RuntimeSessionRow>`
    with idle as (
      select account_id, id
      from gateway.runtime_session
      where ended_at is null and last_seen_at < ${claim.seenBefore}
      order by last_seen_at
      limit ${claim.limit}
      for no key update skip locked
    )
    update gateway.runtime_session s
    set ended_at = ${claim.now}, end_reason = 'idle', updated_at = ${claim.now}
    from idle
    where s.account_id = idle.account_id and s.id = idle.id
    returning s.*
  `.execute(trx);
  return result.rows;
}

export interface GeneratedTitle {
  readonly sessionId: string;
  readonly title: string;
}

/**
 * Stores generated titles, unless the title has been set by a client or an import in the meantime, or a model has
 * generated one for the current `title_hint`. Skips sessions whose rows are locked, for example by another request that
 * generates titles for a list. If the title is not indexed, storing it updates the session's write time, because a walk
 * over existing content reads only the sessions written since the previous walk.
 */
export async function storeGeneratedTitles(
  trx: AnyTransaction,
  accountId: string,
  titles: readonly GeneratedTitle[],
  { indexEnabled }: { readonly indexEnabled: boolean },
): Promise<RuntimeSessionRow[]> {
  const ids = titles.map((entry) => entry.sessionId);
  const texts = titles.map((entry) => entry.title);
  const result = await sql<RuntimeSessionRow>`
    with wanted as (
      select s.account_id, s.id, t.title
      from unnest(${ids}::uuid[], ${texts}::text[]) as t (id, title)
      join gateway.runtime_session s on s.account_id = ${accountId} and s.id = t.id
      where (s.title_origin is null or s.title_origin = 'generated') and s.title is distinct from t.title
        and (s.title is null or s.title_asked_of is null or s.title_asked_of is distinct from s.title_hint)
      order by s.id
      for no key update of s skip locked
    )
    update gateway.runtime_session s
    set title = wanted.title, title_origin = 'generated',
      updated_at = case when ${indexEnabled}::boolean then s.updated_at else clock_timestamp() end
    from wanted
    where s.account_id = wanted.account_id and s.id = wanted.id
    returning s.*
  `.execute(trx);
  return result.rows;
}
