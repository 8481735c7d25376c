import type { PoolClient } from 'pg';
import { OutOfTimeError, runCancellable, type CancellablePools } from '@steward/database';
import { AppError } from '@steward/runtime';
import { buildSnippet, createTermMatcher } from '../rules/build-snippet.ts';
import { isPlainQuery, type ParsedQuery, type QueryStrictness } from '../rules/keyword-query.ts';
import { unquoteTerm } from '../rules/query-terms.ts';
import { computeIdf, MAX_WEIGHTED_TERMS, SAMPLE_ROWS, type Sample } from '../rules/ranking.ts';
import {
  chooseSelectiveTerms,
  countPageMatches,
  countRowsInReach,
  estimateIndexCost,
  needsIndexCost,
  planRetrieval,
  widenPlan,
  type RetrievalPlan,
} from '../rules/retrieval-plan.ts';
import { narrowsWalk, type ChunkFilter, type MatchScope } from '../store/match-conditions.ts';
import { parseQuery } from '../store/parse-query.store.ts';
import type { SessionMatch, SessionPage, SnippetRow } from '../store/page-rows.ts';
import { estimateAccountRows, estimateRows, holdsAtMost } from '../store/row-estimate.store.ts';
import { sampleNewest } from '../store/sample.store.ts';
import {
  findSessionPage,
  type SearchPosition,
  type SessionPageRequest,
  type WeightedTerm,
} from '../store/session-page.store.ts';

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
  /** Of the page before: the same candidates are ranked again. */
  readonly plan?: RetrievalPlan | undefined;
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
  /** The words that make the score, with their weights. */
  readonly terms: readonly WeightedTerm[];
}

/** How far the planner's estimate of an account may be off. */
const ESTIMATE_ERROR = 2;

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
  const planned = await planSearch(client, input, { parsed, relaxed });
  const { scope, terms } = planned;
  const { limit, offset, after, explain = false, maxSnippetsPerSession } = input;
  const maxChunksPerSession = Math.max(maxSnippetsPerSession, explain ? SCORED_CHUNKS : 0);
  const { includeSnippetText: includeText } = input;
  const request = { ...scope, terms, limit, offset, after, maxChunksPerSession, includeText, explain };
  const { page, plan } =
    input.plan === undefined
      ? await findFullPage(client, { ...request, plan: planned.plan }, planned.sample)
      : { page: await findSessionPage(client, { ...request, plan: input.plan }), plan: input.plan };
  return {
    sessions: page.sessions,
    snippets: presentSnippets(page.snippets, parsed),
    total: page.matchedSessions,
    totalIsExact: page.isExact,
    asOf: input.asOf ?? planned.now,
    plan,
    terms,
  };
}

interface PlannedSearch {
  readonly scope: MatchScope;
  readonly plan: RetrievalPlan;
  readonly terms: readonly WeightedTerm[];
  /** The database's time. */
  readonly now: Date;
  readonly sample: Sample;
}

/** Decides from a sample of the newest rows how the candidates are found, and what each word weighs. */
async function planSearch(
  client: PoolClient,
  input: KeywordSearchInput,
  query: { readonly parsed: ParsedQuery; readonly relaxed: boolean },
): Promise<PlannedSearch> {
  const { tsquery, terms } = query.parsed;
  const { accountId, filter, asOf } = input;
  const scope: MatchScope = { accountId, tsquery, filter, asOf };
  const sample = await sampleNewest(client, scope, terms);
  const { now } = sample;
  const weighted = weighTerms(terms, computeIdf(sample));
  const planned = { scope, terms: weighted, now, sample };
  if (query.relaxed && sample.rows >= SAMPLE_ROWS) {
    const selective = chooseSelectiveTerms(terms, sample, await estimateRows(client, scope));
    if (selective.length > 0)
      return { ...planned, scope: { ...scope, tsquery: selective.join(' | ') }, plan: { arm: 'index' } };
  }
  const pageMatches = countPageMatches(input.offset + input.limit);
  // Of the whole account: the text index knows neither times nor sessions.
  const rows = needsIndexCost(sample, pageMatches) ? await estimateAccountRows(client, accountId) : 0;
  const indexCost = estimateIndexCost(sample, rows);
  return { ...planned, plan: planRetrieval(sample, indexCost, pageMatches) };
}

/** The rarest words carry the ranking; the many common ones of a long question would add time and little else. */
function weighTerms(terms: readonly string[], idf: readonly number[]): WeightedTerm[] {
  const weighted = terms.map((term, index) => ({ term, idf: idf[index] ?? 1 }));
  if (weighted.length <= MAX_WEIGHTED_TERMS) return weighted;
  return weighted.sort((a, b) => b.idf - a.idf).slice(0, MAX_WEIGHTED_TERMS);
}

/** Looks further while a page is not full and there is a way to. */
async function findFullPage(
  client: PoolClient,
  request: SessionPageRequest,
  sample: Sample,
): Promise<{ readonly page: SessionPage; readonly plan: RetrievalPlan }> {
  const { accountId, plan, limit, offset, filter } = request;
  const page = await findSessionPage(client, request);
  if (plan.arm !== 'walk' || page.sessions.length > (filter.sessionId === undefined ? limit : 0)) return { page, plan };
  const pageMatches = countPageMatches(offset + limit);
  const accountRows = await estimateAccountRows(client, accountId);
  const indexCost = estimateIndexCost(sample, accountRows);
  const wider = widenPlan(plan, { matches: page.matchedChunks, indexCost, pageMatches });
  if (wider === undefined) return { page, plan };
  // A walk cannot tell that it came to the end: another one would find the same again.
  const reach = countRowsInReach(wider, indexCost);
  const mayEnd = narrowsWalk(filter) || accountRows <= reach * ESTIMATE_ERROR;
  const isEndNear = mayEnd && (await holdsAtMost(client, request, reach));
  return findFullPage(client, { ...request, plan: isEndNear ? { arm: 'all' } : wider }, sample);
}

function presentSnippets(rows: readonly SnippetRow[], parsed: ParsedQuery): Snippet[] {
  const matcher = createTermMatcher(parsed.terms.map(unquoteTerm));
  return rows.map(({ content, ...row }) => ({
    ...row,
    html: content === null ? null : buildSnippet(content, matcher),
  }));
}
