import type { PoolClient } from 'pg';
import { prepared } from '@steward/database';
import { SELECT_GAP } from '../../corpus/store/gap.store.ts';
import type { SnippetRow } from '../../keyword/store/page-rows.store.ts';

/** A chunk from which a snippet is built. */
export type ExcerptRow = Omit<SnippetRow, 'rank' | 'termRanks'>;

/** Returns chunks of an account by their ids; deleted ones are not included. */
export async function findExcerpts(
  client: PoolClient,
  key: { readonly accountId: string; readonly chunkIds: readonly string[]; readonly includeText: boolean },
): Promise<ReadonlyMap<string, ExcerptRow>> {
  const { rows } = await client.query<ExcerptRow>(
    prepared(
      'search.excerpts',
      `select runtime_session_id as "sessionId", id as "documentId", source_kind as "sourceKind", source_id as "sourceId",
         chunk_index as "chunkIndex", ${SELECT_GAP} as "gapAfter", occurred_at as "occurredAt", role, case when $3::boolean then content end as content
       from search.chunk where account_id = $1 and id = any ($2::uuid[])`,
      [key.accountId, key.chunkIds, key.includeText],
    ),
  );
  return new Map(rows.map((row) => [row.documentId, row]));
}
