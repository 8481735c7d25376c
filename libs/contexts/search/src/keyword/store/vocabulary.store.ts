import type { PoolClient } from 'pg';
import { buildConditions, type MatchScope } from './match-conditions.store.ts';
import { runStatement } from './run-statement.store.ts';

/** Number of newest chunks whose words are read. */
const LOOKED_AT_CHUNKS = 300;
const MOST_WORDS = 2000;
const LONGEST_WORD = 40;

/**
 * Returns words that begin with one of these letters, most common first, from the newest chunks within the scope: the
 * scope includes only what the caller may find, and reading only the newest chunks bounds the work for any corpus.
 */
export async function listVocabulary(
  client: PoolClient,
  scope: MatchScope,
  initials: readonly string[],
): Promise<string[]> {
  const { walk, filtered, param, values } = buildConditions(scope);
  const text = `select word from (
       select tsv from (
         select * from search.chunk where ${walk} and $2::text is not null
         order by occurred_at desc, id desc limit ${LOOKED_AT_CHUNKS}
       ) newest where ${filtered}
     ) visible cross join lateral unnest(tsvector_to_array(tsv)) word
     where left(word, 1) = any (${param([...initials])}::text[]) and length(word) <= ${LONGEST_WORD}
     group by word order by count(*) desc, word limit ${MOST_WORDS}`;
  const rows = await runStatement<{ word: string }>(client, { text, values, isPrepared: false });
  return rows.map(({ word }) => word);
}
