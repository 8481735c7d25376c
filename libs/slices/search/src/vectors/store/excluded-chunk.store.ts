import type { PoolClient } from 'pg';
import { prepared } from '@steward/database';

/** What no chunk that is found may hold. */
export interface Exclusion {
  readonly accountId: string;
  /** In web-search syntax. */
  readonly words: string;
}

/** Those of the chunks that hold it. */
export async function listExcluded(
  client: PoolClient,
  { accountId, words }: Exclusion,
  chunkIds: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    prepared(
      'search.excluded',
      `select id from search.chunk where account_id = $1 and id = any ($2::uuid[])
         and tsv @@ websearch_to_tsquery('simple', $3)`,
      [accountId, chunkIds, words],
    ),
  );
  return rows.map(({ id }) => id);
}

/** Of a row with a `chunk_id`: its chunk does not hold it. */
export function describeExclusion({ accountId, words }: Exclusion, param: (value: unknown) => string): string {
  return `not exists (select from search.chunk where chunk.account_id = ${param(accountId)} and chunk.id = chunk_id
    and chunk.tsv @@ websearch_to_tsquery('simple', ${param(words)}))`;
}
