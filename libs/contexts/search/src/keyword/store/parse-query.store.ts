import type { PoolClient } from 'pg';
import { AppError } from '@steward/contracts';
import { prepared, readSqlState } from '@steward/database';
import { markCompounds, restoreCompounds } from '../rules/expand-query.ts';
import { readSimpleQuery, type ParsedQuery } from '../rules/keyword-query.ts';
import { spanBorders } from '../rules/span-borders.ts';

/**
 * SQLSTATE (`internal_error`) that the parser returns for a query with more than 32 open operators ("tsquery stack too
 * small"). No other error of this statement has this code.
 */
const TOO_DEEP = 'XX000';

function refuseDeepQuery(cause: unknown): AppError {
  return new AppError('invalid_request', {
    message: '"query" has too many "-" in a row; write one before each word or phrase to exclude.',
    detail: { field: 'query' },
    cause,
  });
}

/**
 * Returns the parsed query; undefined if it includes no word, because it is empty or contains only exclusions (for
 * which no index can be used).
 *
 * @param options.isExcluded - whether matches of the query are excluded; if true, the parsed query matches everything
 *   that `-` before each word would exclude
 * @throws invalid_request
 */
export async function parseQuery(
  client: PoolClient,
  query: string,
  anyWord: boolean,
  { isExcluded = false } = {},
): Promise<ParsedQuery | undefined> {
  const simple = readSimpleQuery(query, anyWord);
  if (simple !== undefined) return { ...simple, tsquery: spanBorders(simple.tsquery) };
  const marked = markCompounds(query);
  const parse = (text: string): string =>
    anyWord
      ? `replace(plainto_tsquery('simple', ${text})::text, ' & ', ' | ')::tsquery`
      : `websearch_to_tsquery('simple', ${text})`;
  const result = await client
    .query<{ tsquery: string; tree: string; read: string[] }>(
      prepared(
        anyWord ? 'search.parse-words' : 'search.parse-query',
        `select q::text as tsquery, querytree(q) as tree,
           array(select ${parse('part')}::text from unnest($2::text[]) with ordinality as parts (part, place) order by place) as read
         from (select ${parse('$1')} as q) parsed`,
        [marked.query, marked.compounds.map(({ typed }) => typed)],
      ),
    )
    .catch((error: unknown) => {
      throw readSqlState(error) === TOO_DEEP ? refuseDeepQuery(error) : error;
    });
  const row = result.rows[0];
  if (row === undefined || row.tree === '' || row.tree === 'T') return undefined;
  const restored = restoreCompounds(row, marked, { anyWord, isExcluded });
  return { ...restored, tsquery: spanBorders(restored.tsquery) };
}
