import type { PoolClient } from 'pg';
import { SAMPLE_ROWS, type Sample } from '../rules/ranking.ts';
import { buildConditions, type MatchScope } from './match-conditions.ts';

/** The operators of a phrase in the text form of a query. */
const PHRASE_OPERATOR = / <(?:-|\d+)> /g;

/**
 * Looks at the newest rows a query can match: how many do, how many hold each of its words, and how many the text index
 * would yield: it knows no positions, so that it finds a phrase's words in any order and every such row has to be read.
 */
export async function sampleNewest(client: PoolClient, scope: MatchScope, terms: readonly string[]): Promise<Sample> {
  const { walk, match, param, values } = buildConditions(scope);
  const counts = terms.map((term, index) => `count(*) filter (where tsv @@ ${param(term)}::tsquery) as df${index}`);
  const loose = scope.tsquery.replace(PHRASE_OPERATOR, ' & ');
  const yielded = loose === scope.tsquery ? match : `tsv @@ ${param(loose)}::tsquery`;
  const columns = [
    'count(*) as rows',
    `count(*) filter (where ${match}) as matches`,
    `count(*) filter (where ${yielded}) as yielded`,
    ...counts,
  ];
  const result = await client.query<Record<string, number>>(
    `select ${columns.join(', ')}
     from (select * from search.chunk where ${walk} order by occurred_at desc, id desc limit ${SAMPLE_ROWS}) newest`,
    values,
  );
  const row = result.rows[0] ?? {};
  return {
    rows: row.rows ?? 0,
    matches: row.matches ?? 0,
    yielded: row.yielded ?? 0,
    documentFrequencies: terms.map((_term, index) => row[`df${index}`] ?? 0),
  };
}

interface ExplainedPlan {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }];
}

/** Rows the query could match, by the planner's statistics: a tenth of a millisecond instead of a count of millions. */
export async function estimateRows(client: PoolClient, scope: MatchScope): Promise<number> {
  const { walk, values } = buildConditions({ ...scope, asOf: undefined });
  // $2 is the query in every statement on chunks; here it only has to be used.
  const result = await client.query<ExplainedPlan>(
    `explain (format json) select 1 from search.chunk where ${walk} and $2::text is not null`,
    values,
  );
  return result.rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}
