import type { PoolClient } from 'pg';
import { MAX_EXACT_MATCHES, RANKING, type WeightedTerm } from '../rules/ranking.ts';
import type { RetrievalPlan } from '../rules/retrieval-plan.ts';
import { SELECT_GAP } from '../../corpus/store/gap.store.ts';
import { buildHits } from './hits.store.ts';
import { buildConditions, isPreparable, type MatchScope } from './match-conditions.store.ts';
import { readSessions, readSnippets, type PageRow, type SessionPage } from './page-rows.store.ts';
import type { SearchPosition } from '../session-match.ts';
import { runStatement } from './run-statement.store.ts';

export interface SessionPageRequest extends MatchScope {
  readonly plan: RetrievalPlan;
  readonly terms: readonly WeightedTerm[];
  readonly limit: number;
  readonly offset: number;
  readonly after?: SearchPosition | undefined;
  readonly maxChunksPerSession: number;
  /** Whether the texts of the best chunks are read. */
  readonly includeText: boolean;
  /** Whether each word's rank in the best chunks is read. */
  readonly explain: boolean;
}

/**
 * Ranks a bounded number of matches, groups them by session and reads the best chunks for one page, in one statement.
 * Matches are sorted without their `tsv` column, and the chosen ones are read again by their physical row position:
 * sorting them together with this column took twice as long (27 instead of 14 ms for 7,900 matches).
 */
export async function findSessionPage(client: PoolClient, request: SessionPageRequest): Promise<SessionPage> {
  const { text, values } = buildStatement(request);
  const rows = await runStatement<PageRow>(client, { text, values, isPrepared: isPrepared(request) });
  const matchedChunks = rows[0]?.matched_chunks ?? 0;
  return {
    sessions: readSessions(rows),
    snippets: readSnippets(rows),
    matchedSessions: rows[0]?.matched_sessions ?? 0,
    matchedChunks,
    isExact: request.plan.arm !== 'walk' && matchedChunks <= MAX_EXACT_MATCHES,
  };
}

/**
 * Maximum number of terms with which a statement is prepared: each number results in a different SQL string, whose plan
 * over all partitions takes 0.65 MB per connection.
 */
const MAX_PREPARED_TERMS = 3;

/**
 * Returns whether a statement is prepared. Parsing and planning the long SQL string takes as long as a short walk (a
 * millisecond), so the most common statements are prepared.
 */
function isPrepared(request: SessionPageRequest): boolean {
  const { terms, after, explain } = request;
  return after === undefined && !explain && terms.length <= MAX_PREPARED_TERMS && isPreparable(request);
}

/**
 * SQL for the time of a chunk in the statement that uses the text index: an expression, so that the planner can walk
 * the time index neither for the order nor for a range. The planner estimates that a range contains at most a
 * two-hundredth of the rows, so for a rare word it would read all chunks of the range.
 */
const UNORDERED = `occurred_at + interval '0'`;

function buildStatement(request: SessionPageRequest): { readonly text: string; readonly values: readonly unknown[] } {
  const conditions = buildConditions(request, request.plan.arm === 'index' ? UNORDERED : undefined);
  const { param, values } = conditions;
  const { after, explain, includeText, limit, maxChunksPerSession, offset, plan, terms } = request;
  const position =
    after === undefined
      ? 'true'
      : `(score, last_match_at, runtime_session_id) < (${param(after.score)}::float8, ${param(after.lastMatchAt)}::timestamptz, ${param(after.sessionId)}::uuid)`;
  const ranks = explain ? terms.map(({ term }) => rankTerm(param(term))).join(', ') : '';
  const text = `with ${buildHits(plan, conditions, maxChunksPerSession)},
     candidate as (
       select ctid as tid, id, runtime_session_id, source_kind, occurred_at, tsv, content from search.chunk
       where account_id = $1 and ctid = any (array(
         select tid from chosen
       ))
     ),
     ranked as materialized (
       select tid, id, runtime_session_id, occurred_at, ${buildRank(terms, param)} as rank,
         case when source_kind = 'session_summary' then ${RANKING.titleBonus}::float8 else 0::float8 end as bonus
       from candidate
     ),
     placed as (
       select *, row_number() over (
         partition by runtime_session_id order by rank + bonus desc, occurred_at desc, id desc
       ) as place from ranked
     ),
     session as materialized (
       select runtime_session_id,
         round(1e6 * sum((rank + bonus) * case place when 1 then 1::float8 when 2 then ${RANKING.secondChunkWeight}::float8 when 3 then ${RANKING.thirdChunkWeight}::float8 else 0::float8 end)) / 1e6 as score,
         count(*) as matched, min(occurred_at) as first_match_at, max(occurred_at) as last_match_at,
         array_agg(tid) filter (where place <= ${param(maxChunksPerSession)}) as best_tids,
         array_agg(rank) filter (where place <= ${param(maxChunksPerSession)}) as best_ranks,
         array_agg(place) filter (where place <= ${param(maxChunksPerSession)}) as best_places
       from placed group by runtime_session_id
     ),
     page as materialized (
       select * from session where ${position}
       order by score desc, last_match_at desc, runtime_session_id desc
       limit ${param(limit + 1)} offset ${param(offset)}
     )
     select (select count(*) from hit) as matched_chunks, (select count(*) from session) as matched_sessions,
       page.runtime_session_id, case when place > 1 then null else score end as score,
       case when place > 1 then null else matched end as matched,
       case when place > 1 then null else first_match_at end as first_match_at,
       case when place > 1 then null else last_match_at end as last_match_at,
       best.rank, id, source_kind, source_id, chunk_index, gap_after, occurred_at, role, content, term_ranks
     from (select) once left join page on true
     left join lateral unnest(best_tids, best_ranks, best_places) best (tid, rank, place) on true
     left join lateral (
       select id, source_kind, source_id, chunk_index, ${SELECT_GAP} as gap_after, occurred_at, role,
         case when ${param(includeText)}::boolean then content end as content, ${ranks === '' ? `'{}'` : `array[${ranks}]`}::float8[] as term_ranks
       from search.chunk where account_id = $1 and ctid = best.tid
     ) shown on true
     order by page.score desc, page.last_match_at desc, page.runtime_session_id desc, place`;
  return { text, values };
}

/** Builds the SQL for the sum of idf x share over the words. */
function buildRank(terms: readonly WeightedTerm[], param: (value: unknown) => string): string {
  return terms.map(({ term, idf }) => `${param(idf)}::float8 * ${rankTerm(param(term))}`).join(' + ');
}

/**
 * Value of ts_rank for the first occurrence of a word; the second occurrence adds a quarter of this value and the third
 * one a ninth, up to a total of 0.1.
 */
const RANK_ONCE = 0.1 / 1.6449341;
/**
 * Value slightly above the maximum rank, in units of one occurrence: the number of occurrences is computed from the
 * difference between this value and a rank.
 */
const MOST_TIMES = 1.6549;

/**
 * Builds the SQL for BM25's share of a word, from `ts_rank`: n / (n + K), where n, the number of occurrences, is about
 * h / (M (M - h)), h is the rank in units of one occurrence, M is `MOST_TIMES`, and K is the saturation for the length
 * of the chunk. The share is 0 for a word that is missing; parts of words, which have half the weight, count as a
 * quarter of an occurrence.
 */
function rankTerm(term: string): string {
  const { derivedWeight, saturation, lengthShare, middlingBytes } = RANKING;
  const [fixed, perByte] = [saturation * (1 - lengthShare), (saturation * lengthShare) / middlingBytes];
  const once = `nullif(least(ts_rank('{0.1, ${derivedWeight}, 0, 0}', tsv, ${term}::tsquery), 0.1)::float8, 0)`;
  // The types are stated: an untyped constant would be numeric, which takes three times as long as the rank itself.
  const length = `${fixed}::float8 + ${perByte}::float8 * octet_length(content)`;
  const most = `${MOST_TIMES}::float8`;
  return `coalesce(1 / (1 + (${length}) * ${most} * (${MOST_TIMES * RANK_ONCE}::float8 / ${once} - 1)), 0)`;
}
