import type { Pool, PoolClient } from 'pg';
import { isStatementCancelled, runCancellable } from '@steward/database';
import { AppError } from '@steward/runtime';
import { isPlainQuery, type QueryStrictness } from '../rules/keyword-query.ts';
import {
  countMatches,
  findSessionPage,
  findSnippets,
  parseQuery,
  type ChunkFilter,
  type SessionMatch,
  type SnippetRow,
} from '../store/keyword-search.store.ts';

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
}

export interface SearchPosition {
  readonly score: number;
  readonly lastMatchAt: Date;
  readonly sessionId: string;
}

export interface SearchOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface KeywordSearchPage {
  /** Best first; one more than `limit` when there is a further page. */
  readonly sessions: readonly SessionMatch[];
  readonly snippets: readonly SnippetRow[];
  /** Sessions that match. */
  readonly total: number;
  /** False when `total` is a lower bound. */
  readonly totalIsExact: boolean;
  /** The database's time of this page; the next page shows the corpus of the same moment. */
  readonly asOf: Date;
}

/**
 * Ranks the sessions of one account that match a query. Work is bounded whatever the query: counts stop at a cap, at most
 * a fixed number of chunks is ranked, snippets are made for the page alone.
 *
 * @throws AppError `query_has_no_terms` for a query of exclusions only; `search_timeout` past the time budget.
 */
export async function searchKeywords(
  pool: Pool,
  input: KeywordSearchInput,
  options: SearchOptions,
): Promise<KeywordSearchPage> {
  try {
    return await runCancellable(pool, options, (client) => search(client, input));
  } catch (error) {
    if (isStatementCancelled(error) && !options.signal.aborted) {
      throw new AppError('search_timeout', { cause: error, retryAfterSeconds: 5 });
    }
    throw error;
  }
}

async function search(client: PoolClient, input: KeywordSearchInput): Promise<KeywordSearchPage> {
  const relaxed = input.strictness === 'any_word' && isPlainQuery(input.query);
  const parsed = await parseQuery(client, input.query, relaxed);
  if (parsed === undefined) throw new AppError('query_has_no_terms');
  const { tsquery } = parsed;
  const asOf = input.asOf ?? parsed.now;
  const scope = { accountId: input.accountId, tsquery, filter: input.filter, asOf: input.asOf };
  const count = await countMatches(client, scope);
  if (count.chunks === 0) return { sessions: [], snippets: [], total: 0, totalIsExact: true, asOf };
  const { limit, offset, after, maxSnippetsPerSession, includeSnippetText } = input;
  const sessions = await findSessionPage(client, { ...scope, isCommon: !count.isExact, limit, offset, after });
  const sessionIds = sessions.slice(0, limit).map((session) => session.sessionId);
  const snippets = await findSnippets(client, { ...scope, sessionIds, maxSnippetsPerSession, includeSnippetText });
  return { sessions, snippets, total: count.sessions, totalIsExact: count.isExact, asOf };
}
