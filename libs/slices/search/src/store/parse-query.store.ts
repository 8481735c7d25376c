import type { PoolClient } from 'pg';
import { readSimpleQuery, type ParsedQuery } from '../rules/keyword-query.ts';
import { listQueryTerms } from '../rules/query-terms.ts';

/** The parsed query, or undefined when it asks for no word: empty, or exclusions only (no index can serve those). */
export async function parseQuery(
  client: PoolClient,
  query: string,
  anyWord: boolean,
): Promise<ParsedQuery | undefined> {
  const simple = readSimpleQuery(query, anyWord);
  if (simple !== undefined) return simple;
  const parse = anyWord
    ? `replace(plainto_tsquery('simple', $1)::text, ' & ', ' | ')::tsquery`
    : `websearch_to_tsquery('simple', $1)`;
  const result = await client.query<{ tsquery: string; tree: string }>(
    `/* prepared */
     select q::text as tsquery, querytree(q) as tree from (select ${parse} as q) parsed`,
    [query],
  );
  const row = result.rows[0];
  if (row === undefined || row.tree === '' || row.tree === 'T') return undefined;
  return { tsquery: row.tsquery, terms: listQueryTerms(row.tree) };
}
