import type { Principal } from '@steward/http';
import { readCoverage } from '@steward/slice-backfill';
import { readSessionHeadings } from '@steward/slice-gateway';
import { searchKeywords, type KeywordSearchPage, type SessionMatch } from '@steward/slice-search';
import type { GatewayDeps } from '../../gateway-deps.ts';
import { describeDegraded } from './degraded.ts';
import { explainScore } from './explain-score.ts';
import { readIdentifierLane, type IdentifierLane } from './identifier-lane.ts';
import { findNamedMatches, type NamedMatch } from './named-matches.ts';
import { presentIdentifierMatch, presentSession } from './present-results.ts';
import { readSearchTask, type SearchTask } from './read-search-request.ts';
import { fillPage } from './result-page.ts';
import type { SearchRequest } from './search-schemas.ts';

export interface SearchCall {
  readonly body: SearchRequest;
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly startedAt: number;
}

/** The answer of one search. @throws AppError as `searchKeywords` does, and `invalid_request`. */
export async function answerSearch(deps: GatewayDeps, call: SearchCall) {
  const { accountId } = call.principal;
  const { mode = 'keyword' } = call.body;
  const task = readSearchTask(call.body, accountId);
  const { limit, offset } = task.input;
  const coverage = readCoverage(deps.coverageDb, accountId, task.input.filter);
  // When both fail, the search says why: its time is up or its client gone.
  coverage.catch(() => undefined);
  const { lane, page, named, unmatched } = await findAll(deps, task, call.signal);
  const { indexedFrom, indexedThrough, backfillComplete, backfillState, ...metadataOnly } = await coverage;
  const { ranked, nextCursor } = fillPage(task, lane, { page, unmatched });
  return {
    query: task.query,
    mode,
    effective_mode: 'keyword',
    results: await buildResults(deps, task, { lane, page, named, ranked }),
    total: page.total + unmatched,
    total_is_exact: page.totalIsExact,
    limit,
    offset,
    next_cursor: nextCursor,
    indexed_from: indexedFrom,
    indexed_through: indexedThrough,
    backfill_complete: backfillComplete,
    backfill_state: backfillState,
    metadata_only_from: metadataOnly.metadataOnlyFrom,
    metadata_only_through: metadataOnly.metadataOnlyThrough,
    embedded_through: null,
    degraded: describeDegraded(mode, deps.settings.embeddingEnabled),
    elapsed_ms: Math.round((performance.now() - call.startedAt) * 10) / 10,
  };
}

interface Found {
  readonly lane: IdentifierLane;
  readonly page: KeywordSearchPage;
  readonly named: ReadonlyMap<string, NamedMatch>;
  /** Sessions of the lane whose words do not match: they count in the total besides the ranked ones. */
  readonly unmatched: number;
}

async function findAll(deps: GatewayDeps, task: SearchTask, signal: AbortSignal): Promise<Found> {
  const { input, cursor } = task;
  const options = { timeoutMs: deps.settings.searchTimeoutMs, signal };
  const [page, lane] = await Promise.all([
    searchKeywords(deps.searchPools, input, options),
    readIdentifierLane(deps, task),
  ]);
  const named = await findNamedMatches(deps, { task, lane, page }, options);
  const unmatched = cursor?.namedUnmatched ?? lane.ids.length - named.size;
  const start = startOfRanked(input.offset, lane, unmatched);
  // Rare enough to search twice: a query that is an identifier, and a further page of it by offset.
  const moved =
    start === input.offset ? page : await searchKeywords(deps.searchPools, { ...input, offset: start }, options);
  return { lane, page: moved, named, unmatched };
}

/** The lane stands before the ranked sessions, so an offset counts its sessions first. */
function startOfRanked(offset: number, lane: IdentifierLane, unmatched: number): number {
  return offset < lane.ids.length ? 0 : offset - unmatched;
}

/** Identified sessions first, then the ranked ones. */
async function buildResults(
  deps: Pick<GatewayDeps, 'db'>,
  { input }: SearchTask,
  found: Pick<Found, 'lane' | 'page' | 'named'> & { readonly ranked: readonly SessionMatch[] },
): Promise<object[]> {
  const { page, ranked } = found;
  const sessions = await readSessionHeadings(deps.db, {
    accountId: input.accountId,
    sessionIds: ranked.map((match) => match.sessionId),
  });
  const present = (source: KeywordSearchPage, sessionId: string) => {
    const chunks = source.snippets.filter((snippet) => snippet.sessionId === sessionId);
    return {
      snippets: chunks.slice(0, input.maxSnippetsPerSession),
      more: input.explain === true ? { explain: explainScore(source, chunks) } : {},
    };
  };
  // Items are in the order of their scores, so an identifier scores no less than any words.
  const score = Math.max(1, page.sessions[0]?.score ?? 0);
  const first = found.lane.sessions.map((session) => {
    const own = found.named.get(session.id);
    const { snippets, more } = present(own?.page ?? page, session.id);
    return { ...presentIdentifierMatch(session, own?.match, { snippets, score }), ...more };
  });
  const rest = ranked.flatMap((match) => {
    const session = sessions.get(match.sessionId);
    if (session === undefined) return [];
    const { snippets, more } = present(page, match.sessionId);
    return [{ ...presentSession(session, match, snippets), ...more }];
  });
  return [...first, ...rest];
}
