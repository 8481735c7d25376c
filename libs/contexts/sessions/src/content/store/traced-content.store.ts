import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

export interface TracedContentKey {
  readonly accountId: string;
  readonly sourceType: string;
  readonly traceIds: readonly string[];
  /** External ids of the entries; each id begins with the trace id and a colon. */
  readonly externalIds: readonly string[];
}

export interface TracedSessions {
  /** Source ids of the sessions that contain the entries, by the external id of the entry. */
  readonly ofEntries: ReadonlyMap<string, string>;
  /**
   * For each trace id, the source id of the oldest session that contains entries of the trace and has a source id other
   * than the trace id.
   */
  readonly ofTraces: ReadonlyMap<string, string>;
}

/** Finds the sessions that contain the given entries, or earlier entries of the given traces. */
export async function findTracedSessions(db: AnyDatabase, key: TracedContentKey): Promise<TracedSessions> {
  const { accountId, sourceType, traceIds, externalIds } = key;
  const entries = await sql<{ id: string; source_id: string }>`
    select c.external_id as id, s.session_source_id as source_id
    from gateway.session_content c
    join gateway.runtime_session s on s.account_id = c.account_id and s.id = c.runtime_session_id
    where c.account_id = ${accountId} and c.external_id ~ '^[0-9a-f]{32}:'
      and c.external_id collate "C" = any (${[...externalIds]}::text[]) and s.session_source_type = ${sourceType}
  `.execute(db);
  const traces = await sql<{ id: string; source_id: string }>`
    select trace.id, found.source_id
    from unnest(${[...traceIds]}::text[]) trace (id)
    cross join lateral (
      select s.session_source_id as source_id
      from (
        select distinct c.runtime_session_id as id
        from gateway.session_content c
        where c.account_id = ${accountId} and c.external_id ~ '^[0-9a-f]{32}:'
          and c.external_id collate "C" >= trace.id || ':' and c.external_id collate "C" < trace.id || ';'
      ) traced
      join gateway.runtime_session s on s.account_id = ${accountId} and s.id = traced.id
      where s.session_source_type = ${sourceType} and s.session_source_id <> trace.id
      order by s.created_at, s.id limit 1
    ) found
  `.execute(db);
  const toMap = (rows: readonly { id: string; source_id: string }[]): ReadonlyMap<string, string> =>
    new Map(rows.map((row) => [row.id, row.source_id]));
  return { ofEntries: toMap(entries.rows), ofTraces: toMap(traces.rows) };
}
