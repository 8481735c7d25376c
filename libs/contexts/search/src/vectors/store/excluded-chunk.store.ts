import type { PoolClient } from 'pg';
import { prepared } from '@steward/database';

/** Words that must not occur in a result. */
export interface Exclusion {
  readonly accountId: string;
  /** Text form of a parsed query. */
  readonly tsquery: string;
}

/** Returns the given chunks that match the exclusion. */
export async function listExcluded(
  client: PoolClient,
  { accountId, tsquery }: Exclusion,
  chunkIds: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    prepared(
      'search.excluded',
      `select id from search.chunk where account_id = $1 and id = any ($2::uuid[])
         and tsv @@ $3::tsquery`,
      [accountId, chunkIds, tsquery],
    ),
  );
  return rows.map(({ id }) => id);
}

/** Builds the condition for a row with a `chunk_id`: its chunk does not match the exclusion. */
export function describeExclusion({ accountId, tsquery }: Exclusion, param: (value: unknown) => string): string {
  return `not exists (select from search.chunk where chunk.account_id = ${param(accountId)} and chunk.id = chunk_id
    and chunk.tsv @@ ${param(tsquery)}::tsquery)`;
}
