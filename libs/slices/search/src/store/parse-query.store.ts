import type { PoolClient } from 'pg';
import { listQueryTerms } from '../rules/query-terms.ts';

export interface ParsedQuery {
  /** Text form, as `::tsquery` reads it. */
  readonly tsquery: string;
  /** Words asked for, in their quoted form. */
  readonly terms: readonly string[];
  /** The database's clock, rounded up to the precision in which chunks note when they were indexed. */
  readonly now: Date;
}

/** The parsed query, or undefined when it asks for no word: empty, or exclusions only (no index can serve those). */
export async function parseQuery(
  client: PoolClient,
  query: string,
  anyWord: boolean,
): Promise<ParsedQuery | undefined> {
  const parse = anyWord
    ? `replace(plainto_tsquery('simple', $1)::text, ' & ', ' | ')::tsquery`
    : `websearch_to_tsquery('simple', $1)`;
  const result = await client.query<{ tsquery: string; tree: string; now: Date }>(
    `/* prepared */
     select q::text as tsquery, querytree(q) as tree, clock_timestamp() + interval '1 millisecond' as now
     from (select ${parse} as q) parsed`,
    [query],
  );
  const row = result.rows[0];
  if (row === undefined || row.tree === '' || row.tree === 'T') return undefined;
  return { tsquery: row.tsquery, terms: listQueryTerms(row.tree), now: row.now };
}
