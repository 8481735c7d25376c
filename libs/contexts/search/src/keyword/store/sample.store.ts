import type { PoolClient } from 'pg';
import { SAMPLE_ROWS, type Sample } from '../rules/ranking.ts';
import { buildConditions, isPreparable, type MatchScope } from './match-conditions.store.ts';
import { runStatement } from './run-statement.store.ts';

/** The operators of a phrase in the text form of a query. */
const PHRASE_OPERATOR = / <(?:-|\d+)> /g;

export interface TimedSample extends Sample {
  /** The database's clock, rounded up to the precision of the chunks' index time. */
  readonly now: Date;
}

interface SampleRow {
  readonly rows: number;
  readonly now: Date;
  /** Rows of each condition, as `n0`, `n1`, …. */
  readonly [condition: `n${number}`]: number;
}

/** Number of conditions up to which the statement is prepared: each number is another text. */
const MAX_PREPARED_CONDITIONS = 6;

/**
 * Reads the newest rows that a query can match: how many do, how many contain each of its words, and how many the text
 * index would yield: it knows neither positions nor filters, so that it finds a phrase's words in any order, and every
 * such row has to be read.
 */
export async function sampleNewest(
  client: PoolClient,
  scope: MatchScope,
  terms: readonly string[],
): Promise<TimedSample> {
  const { walk, match, param, values } = buildConditions(scope);
  const conditions: string[] = [];
  // Matching the words of a row is the main cost of the sample: the same condition is never counted twice.
  const count = (condition: string): `n${number}` => {
    if (!conditions.includes(condition)) conditions.push(condition);
    return `n${conditions.indexOf(condition)}`;
  };
  const matching = (tsquery: string): string => `tsv @@ ${tsquery === scope.tsquery ? '$2' : param(tsquery)}::tsquery`;
  const matches = count(match);
  const yielded = count(matching(scope.tsquery.replace(PHRASE_OPERATOR, ' & ')));
  const frequencies = terms.map((term) => count(matching(term)));
  const columns = conditions.map((condition, index) => `count(*) filter (where ${condition}) as n${index}`);
  const text = `select count(*) as rows, clock_timestamp() + interval '1 millisecond' as now, ${columns.join(', ')}
     from (select * from search.chunk where ${walk} order by occurred_at desc, id desc limit ${SAMPLE_ROWS}) newest`;
  const isPrepared = conditions.length <= MAX_PREPARED_CONDITIONS && isPreparable(scope);
  const rows = await runStatement<SampleRow>(client, { text, values, isPrepared });
  const read = (name: `n${number}`): number => rows[0]?.[name] ?? 0;
  return {
    rows: rows[0]?.rows ?? 0,
    now: rows[0]?.now ?? new Date(0),
    matches: read(matches),
    // For an excluded phrase the index only requires that not all of its words occur: it yields at least all matches.
    yielded: Math.max(read(matches), read(yielded)),
    documentFrequencies: frequencies.map(read),
  };
}
