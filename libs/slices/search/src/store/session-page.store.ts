import type { PoolClient } from 'pg';
import {
  MAX_EXACT_MATCHES,
  MAX_RANKED_MATCHES,
  MAX_RANKED_PER_SESSION,
  MAX_WALKED_ROWS,
  RANKING,
} from '../rules/ranking.ts';
import type { RetrievalPlan } from '../rules/retrieval-plan.ts';
import { buildConditions, type MatchConditions, type MatchScope } from './match-conditions.ts';

export interface SessionMatch {
  readonly sessionId: string;
  readonly score: number;
  readonly matchedChunkCount: number;
  readonly firstMatchAt: Date;
  readonly lastMatchAt: Date;
  /** Best first. */
  readonly bestChunkIds: readonly string[];
}

export interface WeightedTerm {
  /** Quoted form of a tsquery. */
  readonly term: string;
  readonly idf: number;
}

/** Position after the last session of the page before. */
export interface SearchPosition {
  readonly score: number;
  readonly lastMatchAt: Date;
  readonly sessionId: string;
}

export interface SessionPageRequest extends MatchScope {
  readonly plan: RetrievalPlan;
  readonly terms: readonly WeightedTerm[];
  readonly limit: number;
  readonly offset: number;
  readonly after?: SearchPosition | undefined;
  readonly maxChunksPerSession: number;
}

export interface SessionPage {
  /** By score, last match, id; one more than the limit when there is a further page. */
  readonly sessions: readonly SessionMatch[];
  readonly matchedSessions: number;
  /** Chunks that matched, as far as they were looked for. */
  readonly matchedChunks: number;
  /** False when there are more matches than were ranked. */
  readonly isExact: boolean;
}

/**
 * Ranks a bounded number of matches and groups them by session, in one statement. The matches are found and sorted by
 * their place in the table alone and read again when they are chosen: sorted with their vectors they took twice as long
 * (7,900 matches: 27 and 14 ms).
 */
export async function findSessionPage(client: PoolClient, request: SessionPageRequest): Promise<SessionPage> {
  const conditions = buildConditions(request);
  const { param, values } = conditions;
  const hits = buildHits(request.plan, conditions);
  const { after } = request;
  const position =
    after === undefined
      ? 'true'
      : `(score, last_match_at, runtime_session_id) < (${param(after.score)}::numeric, ${param(after.lastMatchAt)}::timestamptz, ${param(after.sessionId)}::uuid)`;
  const result = await client.query<{
    matched_chunks: number;
    matched_sessions: number;
    runtime_session_id: string | null;
    score: number;
    matched: number;
    first_match_at: Date;
    last_match_at: Date;
    best_ids: string[];
  }>(
    `${markStatement(request)}with hit as materialized (${hits}),
     candidate as materialized (
       select id, runtime_session_id, source_kind, occurred_at, tsv from search.chunk
       where account_id = $1 and ctid = any (array(
         select tid from hit
         limit (select case when count(*) > ${MAX_EXACT_MATCHES} then ${MAX_RANKED_MATCHES} else count(*) end from hit)
       ))
     ),
     scored as (
       select id, runtime_session_id, occurred_at,
         ${buildRank(request.terms, param)} + case when source_kind = 'session_summary' then ${RANKING.titleBonus} else 0 end as rank
       from candidate
     ),
     placed as (
       select *, row_number() over (partition by runtime_session_id order by rank desc, occurred_at desc, id desc) as place from scored
     ),
     session as materialized (
       select runtime_session_id,
         round(sum(rank * case place when 1 then 1 when 2 then ${RANKING.secondChunkWeight} when 3 then ${RANKING.thirdChunkWeight} else 0 end)::numeric, 6) as score,
         count(*) as matched, min(occurred_at) as first_match_at, max(occurred_at) as last_match_at,
         array_agg(id order by place) filter (where place <= ${param(request.maxChunksPerSession)}) as best_ids
       from placed group by runtime_session_id
     ),
     page as (
       select * from session where ${position}
       order by score desc, last_match_at desc, runtime_session_id desc
       limit ${param(request.limit + 1)} offset ${param(request.offset)}
     )
     select (select count(*) from hit) as matched_chunks, (select count(*) from session) as matched_sessions, page.*
     from (select) once left join page on true
     order by score desc, last_match_at desc, runtime_session_id desc`,
    values,
  );
  const { rows } = result;
  const matchedChunks = rows[0]?.matched_chunks ?? 0;
  return {
    sessions: rows.flatMap((row) =>
      row.runtime_session_id === null
        ? []
        : [
            {
              sessionId: row.runtime_session_id,
              score: row.score,
              matchedChunkCount: row.matched,
              firstMatchAt: row.first_match_at,
              lastMatchAt: row.last_match_at,
              bestChunkIds: row.best_ids ?? [],
            },
          ],
    ),
    matchedSessions: rows[0]?.matched_sessions ?? 0,
    matchedChunks,
    isExact: request.plan.arm !== 'walk' && matchedChunks <= MAX_EXACT_MATCHES,
  };
}

/** Terms up to which a statement without filters is prepared: each number of terms is another text. */
const MAX_PREPARED_TERMS = 4;

/**
 * The plain searches are prepared: reading their long text takes as long as a short walk (half a millisecond). Never those of
 * the text index: their plan depends on the words.
 */
function markStatement({ plan, terms, filter, asOf, after }: SessionPageRequest): string {
  const isPlain =
    asOf === undefined && after === undefined && Object.values(filter).every((value) => value === undefined);
  if (plan.arm === 'index' || !isPlain || terms.length > MAX_PREPARED_TERMS) return '';
  return '/* prepared */ ';
}

/** Where the matches are, newest first; one more than can be exact, so that it shows. */
function buildHits(plan: RetrievalPlan, { walk, match, param }: MatchConditions): string {
  const newest = 'order by occurred_at desc, id desc';
  switch (plan.arm) {
    case 'all':
      // Through the account's few rows, not through the text index: there a common word has the rows of every account.
      return `select tid from (
          select ctid as tid, * from search.chunk where ${walk} ${newest} limit ${MAX_EXACT_MATCHES + 1}
        ) account where ${match}`;
    case 'index':
      // Sorted by an expression, so that the planner cannot walk the time index through millions of rows for a rare word.
      return `select ctid as tid from search.chunk where ${walk} and ${match}
        order by occurred_at + interval '0' desc, id desc limit ${MAX_EXACT_MATCHES + 1}`;
    case 'walk':
      // The filter stands outside of the limit: inside, the walk would have no end.
      return `select tid from (
          select tid, id, occurred_at, row_number() over (partition by runtime_session_id ${newest}) as place from (
            select ctid as tid, * from search.chunk where ${walk} ${newest} limit ${param(Math.min(plan.rows, MAX_WALKED_ROWS))}::int
          ) newest where ${match}
        ) matching where place <= ${MAX_RANKED_PER_SESSION} ${newest} limit ${MAX_RANKED_MATCHES}`;
  }
}

/** Sum of idf x ts_rank over the words. */
export function buildRank(terms: readonly WeightedTerm[], param: (value: unknown) => string): string {
  return terms.map(({ term, idf }) => `${param(idf)}::float8 * ts_rank(tsv, ${param(term)}::tsquery, 1)`).join(' + ');
}
