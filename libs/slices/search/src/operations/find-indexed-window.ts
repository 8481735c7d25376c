import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';

export interface IndexedWindow {
  /** Time of the oldest chunk; null without chunks. */
  readonly oldest: Date | null;
  /** Time of the newest chunk; null without chunks. */
  readonly newest: Date | null;
}

/** Both ends of an account's corpus: two index look-ups, whatever its size. */
export async function findIndexedWindow(db: AnyDatabase, accountId: string): Promise<IndexedWindow> {
  const result = await sql<IndexedWindow>`
    select (select occurred_at from search.chunk where account_id = ${accountId} order by occurred_at, id limit 1) as oldest,
      (select occurred_at from search.chunk where account_id = ${accountId} order by occurred_at desc, id desc limit 1) as newest
  `.execute(db);
  return result.rows[0] ?? { oldest: null, newest: null };
}

/** Times between which chunks hold metadata alone, of those in the asked range; null without such chunks. */
export async function findMetadataOnlyRange(
  db: AnyDatabase,
  accountId: string,
  range: { readonly startDate?: Date | undefined; readonly endDate?: Date | undefined },
): Promise<{ readonly from: Date; readonly through: Date } | null> {
  const within = sql`account_id = ${accountId} and redaction_state = 'metadata_only'
    and occurred_at >= ${range.startDate ?? '-infinity'}::timestamptz
    and occurred_at < ${range.endDate ?? 'infinity'}::timestamptz`;
  const result = await sql<{ from: Date | null; through: Date | null }>`
    select (select occurred_at from search.chunk where ${within} order by occurred_at limit 1) as from,
      (select occurred_at from search.chunk where ${within} order by occurred_at desc limit 1) as through
  `.execute(db);
  const { from = null, through = null } = result.rows[0] ?? {};
  return from === null || through === null ? null : { from, through };
}

/** Which of the given sources have chunks, as `kind:id`. */
export async function listIndexedSources(
  db: AnyDatabase,
  accountId: string,
  sources: readonly { readonly sourceKind: string; readonly sourceId: string }[],
): Promise<Set<string>> {
  const rows = await sql<{ source_kind: string; source_id: string }>`
    select chunk.source_kind, chunk.source_id
    from unnest(${sources.map((source) => source.sourceKind)}::text[], ${sources.map((source) => source.sourceId)}::text[])
      as wanted (source_kind, source_id)
    join search.chunk on chunk.account_id = ${accountId} and chunk.source_kind = wanted.source_kind
      and chunk.source_id = wanted.source_id and chunk.chunk_index = 0
  `.execute(db);
  return new Set(rows.rows.map((row) => `${row.source_kind}:${row.source_id}`));
}
