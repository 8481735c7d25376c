import { sql } from 'kysely';
import { textArray, type AnyTransaction } from '@steward/database';
import { INDEX_VERSION, type IndexWords } from '../../words/index-words.ts';
import { goesOn, makeVector } from './index-words.store.ts';

export interface OutdatedWords {
  readonly id: string;
  readonly content: string;
  /** Whether the next chunk of its source directly continues the text. */
  readonly goesOn: boolean;
}

/**
 * Locks and returns chunks whose words an older version wrote, newest first; rows locked by other transactions are
 * skipped.
 */
export async function lockOutdatedWords(
  trx: AnyTransaction,
  { accountId, limit }: { readonly accountId: string; readonly limit: number },
): Promise<OutdatedWords[]> {
  const found = await sql<OutdatedWords>`
    select id, content, ${goesOn} as "goesOn" from search.chunk
    where account_id = ${accountId} and index_version < ${sql.lit(INDEX_VERSION)}
    order by occurred_at desc, id desc limit ${limit} for no key update skip locked
  `.execute(trx);
  return found.rows;
}

/** Replaces the words of chunks, but not their text, so their vectors are retained. */
export async function updateWords(
  trx: AnyTransaction,
  accountId: string,
  words: readonly (IndexWords & { readonly id: string })[],
): Promise<void> {
  await sql`
    update search.chunk set tsv = ${makeVector(sql`new.text`, sql`new.derived`)}, index_version = ${INDEX_VERSION}::smallint
    from unnest(${words.map(({ id }) => id)}::uuid[], ${textArray(words.map(({ text }) => text))}::text[],
      ${textArray(words.map(({ derived }) => derived))}::text[]) as new (id, text, derived)
    where chunk.account_id = ${accountId} and chunk.id = new.id
  `.execute(trx);
}
