import type { PoolClient } from 'pg';
import { prepared } from '@steward/database';

/** Those of the chunks that hold what a query excludes, in web-search syntax. */
export async function listExcluded(
  client: PoolClient,
  key: { readonly accountId: string; readonly chunkIds: readonly string[]; readonly excluded: string },
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    prepared(
      'search.excluded',
      `select id from search.chunk where account_id = $1 and id = any ($2::uuid[])
         and tsv @@ websearch_to_tsquery('simple', $3)`,
      [key.accountId, key.chunkIds, key.excluded],
    ),
  );
  return rows.map(({ id }) => id);
}
