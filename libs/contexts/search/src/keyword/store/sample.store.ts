import type { PoolClient } from 'pg';
import { SAMPLE_ROWS, type Sample } from '../rules/ranking.ts';
import { buildConditions, isPreparable, type MatchScope } from './match-conditions.store.ts';
import { runStatement } from './run-statement.store.ts';

/** The operators between the words of a phrase, in the string form of a query. */
const PHRASE_OPERATOR = / <(?:-|\d+)> /g;

export interface TimedSample extends Sample {
  /** The time of the database's clock, rounded up to the precision of the chunks' index time. */
  readonly now: Date;
}

interface SampleRow {
  readonly rows: number;
  readonly now: Date;
  readonly matches: number;
  /** Number of rows that match each of the queries, as `n0`, `n1`, …. */
  readonly [query: `n${number}`]: number;
}

/**
 * Maximum number of queries for which the statement is prepared, since each number of queries results in a different
 * SQL string.
 */
const MAX_PREPARED_QUERIES = 5;

/**
 * Reads the newest rows that a query can match, and determines how many of them match, how many contain each of its
 * words, and how many the text index would return. The index contains neither positions nor filter columns, so it also
 * returns rows with a phrase's words in another order, and all of these have to be read.
 */
export async function sampleNewest(
  client: PoolClient,
  scope: MatchScope,
  terms: readonly string[],
): Promise<TimedSample> {
  const { walk, filtered, param, values } = buildConditions(scope);
  const queries = [scope.tsquery];
  const placeOf = (tsquery: string): number => {
    if (!queries.includes(tsquery)) queries.push(tsquery);
    return queries.indexOf(tsquery);
  };
  const yielded = placeOf(scope.tsquery.replace(PHRASE_OPERATOR, ' & '));
  const frequencies = terms.map(placeOf);
  const places = queries.map((tsquery, place) => ({ place, query: place === 0 ? '$2' : param(tsquery) }));
  const tests = places.map(({ place, query }) => `tsv @@ ${query}::tsquery as w${place}`).join(', ');
  const counts = places.map(({ place }) => `count(*) filter (where w${place}) as n${place}`).join(', ');
  // The words of a row are matched only once for all counts, in the subquery, since this takes most of the time.
  const text = `select count(*) as rows, clock_timestamp() + interval '1 millisecond' as now,
       count(*) filter (where w0 and ${filtered}) as matches, ${counts}
     from (
       select *, ${tests} from search.chunk where ${walk} order by occurred_at desc, id desc limit ${SAMPLE_ROWS}
     ) newest`;
  const isPrepared = queries.length <= MAX_PREPARED_QUERIES && isPreparable(scope);
  const [row] = await runStatement<SampleRow>(client, { text, values, isPrepared });
  const read = (place: number): number => row?.[`n${place}`] ?? 0;
  const matches = row?.matches ?? 0;
  return {
    rows: row?.rows ?? 0,
    now: row?.now ?? new Date(0),
    matches,
    // For an excluded phrase, the index only requires that not all of its words occur, so it returns at least all
    // matches.
    yielded: Math.max(matches, read(yielded)),
    documentFrequencies: frequencies.map(read),
  };
}
