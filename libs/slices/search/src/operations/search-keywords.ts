import type { PoolClient } from 'pg';
import { OutOfTimeError, runCancellable, type CancellablePools } from '@steward/database';
import { AppError } from '@steward/runtime';
import { buildSnippet, createTermMatcher } from '../rules/build-snippet.ts';
import { isPlainQuery, type QueryStrictness } from '../rules/keyword-query.ts';
import { unquoteTerm } from '../rules/query-terms.ts';
import { computeIdf, LONG_WALK_ROWS, MAX_WEIGHTED_TERMS, STOP_WORD_SHARE, type Sample } from '../rules/ranking.ts';
import { needsRowCount, planRetrieval, type RetrievalPlan } from '../rules/retrieval-plan.ts';
import type { ChunkFilter, MatchScope } from '../store/match-conditions.ts';
import { parseQuery, type ParsedQuery } from '../store/parse-query.store.ts';
import { estimateRows, sampleNewest } from '../store/sample.store.ts';
import {
  findSessionPage,
  type SearchPosition,
  type SessionMatch,
  type SessionPage,
  type SessionPageRequest,
  type WeightedTerm,
} from '../store/session-page.store.ts';
import { findSnippets, type SnippetRow } from '../store/snippet.store.ts';

export interface KeywordSearchInput {
  readonly accountId: string;
  /** Web-search syntax: quoted phrases, `or`, `-` for exclusion. */
  readonly query: string;
  /** `any_word` relaxes a query of plain words to OR (the keyword half of hybrid mode). */
  readonly strictness: QueryStrictness;
  readonly filter: ChunkFilter;
  readonly limit: number;
  readonly offset: number;
  /** Position after the last session of the page before; with it `offset` is 0. */
  readonly after?: SearchPosition | undefined;
  /** Of the page before: only what was indexed by then counts, so that pages do not shift while data arrives. */
  readonly asOf?: Date | undefined;
  readonly maxSnippetsPerSession: number;
  readonly includeSnippetText: boolean;
  /** Adds the parts of the scores. */
  readonly explain?: boolean;
}

export interface SearchOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A matching chunk of a session of the page. */
export interface Snippet extends Omit<SnippetRow, 'content'> {
  /** HTML: the query's words in `<mark>`, everything else escaped. Null when no text was asked for. */
  readonly html: string | null;
}

export interface KeywordSearchPage {
  /** Best first; one more than `limit` when there is a further page. */
  readonly sessions: readonly SessionMatch[];
  readonly snippets: readonly Snippet[];
  /** Sessions that match. */
  readonly total: number;
  /** False when `total` is a lower bound. */
  readonly totalIsExact: boolean;
  /** The database's time of this page; the next page shows the corpus of the same moment. */
  readonly asOf: Date;
  /** How the candidates were found. */
  readonly plan: RetrievalPlan;
  /** Weight of each word; empty for a query so long that it is ranked as a whole. */
  readonly terms: readonly WeightedTerm[];
}

/** The best three chunks make a session's score, so an explanation needs them whatever snippets were asked for. */
const SCORED_CHUNKS = 3;

/**
 * Ranks the sessions of one account that match a query. Work is bounded whatever the query: a sample of the newest rows
 * tells how common it is, at most a fixed number of chunks is ranked, snippets are made for the page alone.
 *
 * @throws AppError `query_has_no_terms` for a query of exclusions only; `search_timeout` past the time budget.
 */
export async function searchKeywords(
  pools: CancellablePools,
  input: KeywordSearchInput,
  options: SearchOptions,
): Promise<KeywordSearchPage> {
  try {
    return await runCancellable(pools, options, (client) => search(client, input));
  } catch (error) {
    if (error instanceof OutOfTimeError) throw new AppError('search_timeout', { cause: error, retryAfterSeconds: 5 });
    throw error;
  }
}

async function search(client: PoolClient, input: KeywordSearchInput): Promise<KeywordSearchPage> {
  const relaxed = input.strictness === 'any_word' && isPlainQuery(input.query);
  const parsed = await parseQuery(client, input.query, relaxed);
  if (parsed === undefined) throw new AppError('query_has_no_terms');
  let scope: MatchScope = {
    accountId: input.accountId,
    tsquery: parsed.tsquery,
    filter: input.filter,
    asOf: input.asOf,
  };
  let sample = await sampleNewest(client, scope, parsed.terms);
  if (relaxed) {
    const selective = dropStopWords(parsed, sample);
    if (selective !== parsed.tsquery) {
      scope = { ...scope, tsquery: selective };
      sample = await sampleNewest(client, scope, parsed.terms);
    }
  }
  const idf = computeIdf(sample);
  const isLong = parsed.terms.length > MAX_WEIGHTED_TERMS;
  const terms = isLong ? [] : parsed.terms.map((term, index) => ({ term, idf: idf[index] ?? 1 }));
  const plan = planRetrieval(sample, needsRowCount(sample) ? await estimateRows(client, scope) : 0);
  const { limit, offset, after, explain = false, maxSnippetsPerSession } = input;
  const maxChunksPerSession = Math.max(maxSnippetsPerSession, explain ? SCORED_CHUNKS : 0);
  const page = await findFullPage(client, { ...scope, plan, terms, limit, offset, after, maxChunksPerSession });
  const rows = await findSnippets(client, {
    accountId: input.accountId,
    tsquery: scope.tsquery,
    chunkIds: page.sessions.slice(0, limit).flatMap((session) => session.bestChunkIds),
    terms,
    includeText: input.includeSnippetText,
    explain,
  });
  return {
    sessions: page.sessions,
    snippets: presentSnippets(rows, parsed),
    total: page.matchedSessions,
    totalIsExact: page.isExact,
    asOf: input.asOf ?? parsed.now,
    plan,
    terms,
  };
}

/** Joined by OR, a word of every fifth chunk selects everything and tells nothing; it still counts in the ranking. */
function dropStopWords(parsed: ParsedQuery, sample: Sample): string {
  const most = sample.rows * STOP_WORD_SHARE;
  const selective = parsed.terms.filter((_term, index) => (sample.documentFrequencies[index] ?? 0) <= most);
  return selective.length === 0 ? parsed.tsquery : selective.join(' | ');
}

/** One session may fill a whole walk with its chunks: then a longer walk looks for others. */
async function findFullPage(client: PoolClient, request: SessionPageRequest): Promise<SessionPage> {
  const page = await findSessionPage(client, request);
  const { plan, limit, filter } = request;
  const isShort = plan.arm === 'walk' && page.sessions.length <= limit && filter.sessionId === undefined;
  if (!isShort || plan.rows >= LONG_WALK_ROWS) return page;
  return findSessionPage(client, { ...request, plan: { arm: 'walk', rows: LONG_WALK_ROWS } });
}

function presentSnippets(rows: readonly SnippetRow[], parsed: ParsedQuery): Snippet[] {
  const matcher = createTermMatcher(parsed.terms.map(unquoteTerm));
  return rows.map(({ content, ...row }) => ({
    ...row,
    html: content === null ? null : buildSnippet(content, matcher),
  }));
}
