import type { PoolClient } from 'pg';
import type { SourceKind } from '@steward/contracts';
import { MARK_START, MARK_STOP } from '../rules/mark-snippet.ts';
import { MAX_CANDIDATES, MAX_COMMON_CANDIDATES, RANKING } from '../rules/ranking.ts';

/** Every key narrows the search; undefined does not. */
export interface ChunkFilter {
  /** Inclusive. */
  readonly startDate?: Date | undefined;
  /** Exclusive. */
  readonly endDate?: Date | undefined;
  readonly sourceKind?: SourceKind | undefined;
  readonly modelAlias?: string | undefined;
  readonly providerName?: string | undefined;
  readonly runtimePrincipalId?: string | undefined;
  readonly apiKeyId?: string | undefined;
  readonly flowId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly role?: string | undefined;
}

export interface MatchScope {
  readonly accountId: string;
  /** Text form of a parsed query. */
  readonly tsquery: string;
  readonly filter: ChunkFilter;
  /** Leaves out what was indexed later. By the database's clock: another clock would hide fresh rows or show late ones. */
  readonly asOf: Date | undefined;
}

export interface SessionMatch {
  readonly sessionId: string;
  readonly score: number;
  readonly matchedChunkCount: number;
  readonly firstMatchAt: Date;
  readonly lastMatchAt: Date;
}

export interface SnippetRow {
  readonly sessionId: string;
  readonly documentId: string;
  readonly sourceKind: SourceKind;
  readonly sourceId: string;
  readonly chunkIndex: number;
  readonly occurredAt: Date;
  readonly role: string | null;
  readonly rank: number;
  /** Matches between MARK_START and MARK_STOP; null when no text was asked for. */
  readonly headline: string | null;
}

export interface ParsedQuery {
  readonly tsquery: string;
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
    `select q::text as tsquery, querytree(q) as tree, clock_timestamp() + interval '1 millisecond' as now
     from (select ${parse} as q) parsed`,
    [query],
  );
  const row = result.rows[0];
  return row === undefined || row.tree === '' || row.tree === 'T' ? undefined : { tsquery: row.tsquery, now: row.now };
}

/** Counts matching chunks and their sessions, up to a cap: no query counts millions of rows to answer a page of 20. */
export async function countMatches(
  client: PoolClient,
  scope: MatchScope,
): Promise<{ chunks: number; sessions: number; isExact: boolean }> {
  const where = buildWhere(scope);
  const result = await client.query<{ chunks: number; sessions: number }>(
    `select count(*) as chunks, count(distinct runtime_session_id) as sessions from (
       select runtime_session_id from search.chunk where ${where.sql} limit ${MAX_CANDIDATES + 1}
     ) capped`,
    where.values,
  );
  const { chunks = 0, sessions = 0 } = result.rows[0] ?? {};
  return { chunks, sessions, isExact: chunks <= MAX_CANDIDATES };
}

export interface SessionPageRequest extends MatchScope {
  /** More matches than are ranked: the newest ones stand for all. */
  readonly isCommon: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly after?: { readonly score: number; readonly lastMatchAt: Date; readonly sessionId: string } | undefined;
}

/** Sessions by score, last match, id; one more than the limit. */
export async function findSessionPage(client: PoolClient, request: SessionPageRequest): Promise<SessionMatch[]> {
  const where = buildWhere(request);
  const { values } = where;
  const param = (value: unknown): string => `$${values.push(value)}`;
  const { after } = request;
  const position =
    after === undefined
      ? 'true'
      : `(score, last_match_at, runtime_session_id) < (${param(after.score)}::numeric, ${param(after.lastMatchAt)}::timestamptz, ${param(after.sessionId)}::uuid)`;
  // Sorted by an expression, so that the planner cannot walk the time index through millions of rows for a rare word.
  const candidates = request.isCommon
    ? `select * from search.chunk where ${where.sql} order by occurred_at desc, id desc limit ${MAX_COMMON_CANDIDATES}`
    : `select * from search.chunk where ${where.sql} order by occurred_at + interval '0' desc limit ${MAX_CANDIDATES}`;
  const result = await client.query<{
    runtime_session_id: string;
    score: number;
    matched: number;
    first_match_at: Date;
    last_match_at: Date;
  }>(
    `with candidate as materialized (${candidates}),
     scored as (
       select runtime_session_id, occurred_at,
         ts_rank(tsv, $2::tsquery, 1) + case when source_kind = 'session_summary' then ${RANKING.titleBonus} else 0 end as rank
       from candidate
     ),
     placed as (
       select *, row_number() over (partition by runtime_session_id order by rank desc, occurred_at desc) as place from scored
     ),
     session as (
       select runtime_session_id,
         round(sum(rank * case place when 1 then 1 when 2 then ${RANKING.secondChunkWeight} when 3 then ${RANKING.thirdChunkWeight} else 0 end)::numeric, 6) as score,
         count(*) as matched, min(occurred_at) as first_match_at, max(occurred_at) as last_match_at
       from placed group by runtime_session_id
     )
     select * from session where ${position}
     order by score desc, last_match_at desc, runtime_session_id desc
     limit ${param(request.limit + 1)} offset ${param(request.offset)}`,
    values,
  );
  return result.rows.map((row) => ({
    sessionId: row.runtime_session_id,
    score: row.score,
    matchedChunkCount: row.matched,
    firstMatchAt: row.first_match_at,
    lastMatchAt: row.last_match_at,
  }));
}

export interface SnippetRequest extends MatchScope {
  readonly sessionIds: readonly string[];
  readonly maxSnippetsPerSession: number;
  readonly includeSnippetText: boolean;
}

/** The best matching chunks of the sessions of one page. Without text the content column is not read. */
export async function findSnippets(client: PoolClient, request: SnippetRequest): Promise<SnippetRow[]> {
  if (request.sessionIds.length === 0 || request.maxSnippetsPerSession === 0) return [];
  const where = buildWhere(request);
  const { values } = where;
  const param = (value: unknown): string => `$${values.push(value)}`;
  const options = `StartSel=${MARK_START}, StopSel=${MARK_STOP}, MaxFragments=2, MaxWords=35, MinWords=10, ShortWord=3, FragmentDelimiter=" … "`;
  const headline = request.includeSnippetText
    ? `ts_headline('simple', translate(content, '${MARK_START}${MARK_STOP}', ''), $2::tsquery, ${param(options)})`
    : 'null';
  const result = await client.query<{
    runtime_session_id: string;
    id: string;
    source_kind: SourceKind;
    source_id: string;
    chunk_index: number;
    occurred_at: Date;
    role: string | null;
    rank: number;
    headline: string | null;
  }>(
    `select best.runtime_session_id, best.id, chunk.source_kind, chunk.source_id, chunk.chunk_index, chunk.occurred_at,
       chunk.role, best.rank, ${headline} as headline
     from unnest(${param([...request.sessionIds])}::uuid[]) with ordinality as wanted (session_id, place)
     cross join lateral (
       select runtime_session_id, id, ts_rank(tsv, $2::tsquery, 1)::float8 as rank from search.chunk
       where ${where.sql} and runtime_session_id = wanted.session_id
       order by rank desc, occurred_at desc, id desc limit ${param(request.maxSnippetsPerSession)}
     ) best
     join search.chunk on chunk.account_id = $1 and chunk.id = best.id
     order by wanted.place, best.rank desc, chunk.occurred_at desc`,
    values,
  );
  return result.rows.map((row) => ({
    sessionId: row.runtime_session_id,
    documentId: row.id,
    sourceKind: row.source_kind,
    sourceId: row.source_id,
    chunkIndex: row.chunk_index,
    occurredAt: row.occurred_at,
    role: row.role,
    rank: row.rank,
    headline: row.headline,
  }));
}

const COLUMNS = {
  sourceKind: 'source_kind',
  modelAlias: 'model_alias',
  providerName: 'provider_name',
  runtimePrincipalId: 'runtime_principal_id',
  apiKeyId: 'api_key_id',
  flowId: 'flow_id',
  sessionId: 'runtime_session_id',
  role: 'role',
} as const;

/** $1 is the account, $2 the query, always: no statement of this file can leave the account out. */
function buildWhere(scope: MatchScope): { sql: string; values: unknown[] } {
  const values: unknown[] = [scope.accountId, scope.tsquery];
  const parts = ['account_id = $1', 'tsv @@ $2::tsquery'];
  if (scope.asOf !== undefined) parts.push(`indexed_at <= $${values.push(scope.asOf)}`);
  const { startDate, endDate } = scope.filter;
  if (startDate !== undefined) parts.push(`occurred_at >= $${values.push(startDate)}`);
  if (endDate !== undefined) parts.push(`occurred_at < $${values.push(endDate)}`);
  for (const [key, column] of Object.entries(COLUMNS)) {
    const value = scope.filter[key as keyof typeof COLUMNS];
    if (value !== undefined) parts.push(`${column} = $${values.push(value)}`);
  }
  return { sql: parts.join(' and '), values };
}
