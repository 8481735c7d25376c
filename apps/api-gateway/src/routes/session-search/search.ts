import type { Permission } from '@steward/contracts';
import { defineRoute, type Principal, type Route } from '@steward/http';
import { AppError } from '@steward/runtime';
import { readCoverage } from '@steward/slice-backfill';
import { findRuntimeSessionsByIdentifier, readRuntimeSessionsById, type RuntimeSession } from '@steward/slice-gateway';
import { searchKeywords, type KeywordSearchPage } from '@steward/slice-search';
import type { GatewayDeps } from '../../gateway-deps.ts';
import { auditSearch } from './audit-search.ts';
import { describeDegraded } from './degraded.ts';
import { explainScore } from './explain-score.ts';
import { presentIdentifierMatch, presentSession } from './present-results.ts';
import { DEFAULT_LIMIT, DEFAULT_SNIPPETS, readSearchInput } from './read-search-request.ts';
import { encodeSearchCursor } from './search-cursor.ts';
import { SearchAnswer, SearchBody, type SearchRequest } from './search-schemas.ts';

export function createSearchRoute(deps: GatewayDeps): Route {
  const permissions: Permission[] =
    deps.settings.edition === 'enterprise'
      ? ['view_runtime_sessions', 'search_session_content']
      : ['view_runtime_sessions'];
  return defineRoute({
    method: 'post',
    path: '/api/v1/runtime-sessions/search',
    auth: 'bearer',
    permissions,
    tag: 'session search',
    summary: 'Search the content of runtime sessions.',
    body: SearchBody,
    responses: {
      200: { description: 'A page of sessions, best first, and what the corpus covers.', schema: SearchAnswer },
    },
    onRefused: async ({ principal, permission, requestId }) => {
      await auditSearch(deps, { principal, requestId, status: 'denied', details: { permission } });
    },
    handler: async ({ body, principal, requestId, signal, logger }) => {
      const startedAt = performance.now();
      try {
        const answer = await answerSearch(deps, { body, principal, signal, startedAt });
        const facts = describeSearch(body, answer);
        await auditSearch(deps, { principal, requestId, status: 'success', query: answer.query, details: facts });
        logger.info('search.answered', {
          account_id: principal.accountId,
          duration_ms: answer.elapsed_ms,
          outcome: 'ok',
          ...facts,
        });
        return { status: 200, body: answer };
      } catch (error) {
        const code = error instanceof AppError ? error.code : 'internal';
        await auditSearch(deps, { principal, requestId, status: 'failure', details: { error_code: code } });
        throw error;
      }
    },
  });
}

/** An identifier names one session; a reference may be shared by a few. */
const MAX_IDENTIFIED = 5;

interface SearchCall {
  readonly body: SearchRequest;
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly startedAt: number;
}

async function answerSearch(deps: GatewayDeps, call: SearchCall) {
  const { body, principal, signal } = call;
  const { accountId } = principal;
  const input = readSearchInput(body, accountId);
  const { mode = 'keyword' } = body;
  const { query, limit, offset } = input;
  const [page, identified, coverage] = await Promise.all([
    searchKeywords(deps.searchPools, input, { timeoutMs: deps.settings.searchTimeoutMs, signal }),
    takesIdentifiers(body)
      ? findRuntimeSessionsByIdentifier(deps.db, { accountId, text: query, limit: MAX_IDENTIFIED })
      : [],
    readCoverage(deps.db, accountId, input.filter),
  ]);
  const results = await buildResults(deps, { accountId, page, identified, body });
  return {
    query,
    mode,
    effective_mode: 'keyword',
    results,
    total: page.total + countUnmatched(identified, page),
    total_is_exact: page.totalIsExact,
    limit,
    offset,
    next_cursor: readNextCursor(page, limit),
    indexed_from: coverage.indexedFrom,
    indexed_through: coverage.indexedThrough,
    backfill_complete: coverage.backfillComplete,
    backfill_state: coverage.backfillState,
    metadata_only_from: coverage.metadataOnlyFrom,
    metadata_only_through: coverage.metadataOnlyThrough,
    embedded_through: null,
    degraded: describeDegraded(mode, deps.settings.embeddingEnabled),
    elapsed_ms: Math.round((performance.now() - call.startedAt) * 10) / 10,
  };
}

/** The identifier lane belongs to the first page alone, and only without filters it could contradict. */
function takesIdentifiers(body: SearchRequest): boolean {
  return (body.offset ?? 0) === 0 && body.cursor === undefined && body.filters === undefined;
}

/** Sessions found by their identifier whose words do not match as well. */
function countUnmatched(identified: readonly RuntimeSession[], page: KeywordSearchPage): number {
  const matched = new Set(page.sessions.map((match) => match.sessionId));
  return identified.filter((session) => !matched.has(session.id)).length;
}

function readNextCursor(page: KeywordSearchPage, limit: number): string | null {
  const after = page.sessions.slice(0, limit).at(-1);
  const { asOf, plan } = page;
  return page.sessions.length > limit && after !== undefined ? encodeSearchCursor({ asOf, plan, after }) : null;
}

/** Identified sessions first, then the ranked ones. */
async function buildResults(
  deps: Pick<GatewayDeps, 'db'>,
  found: {
    readonly accountId: string;
    readonly page: KeywordSearchPage;
    readonly identified: readonly RuntimeSession[];
    readonly body: SearchRequest;
  },
): Promise<object[]> {
  const { page, identified } = found;
  const {
    limit = DEFAULT_LIMIT,
    max_snippets_per_session: maxSnippets = DEFAULT_SNIPPETS,
    explain = false,
  } = found.body;
  const identifiedIds = new Set(identified.map((session) => session.id));
  const matches = page.sessions.slice(0, limit);
  const sessions = await readRuntimeSessionsById(deps.db, {
    accountId: found.accountId,
    sessionIds: matches.map((match) => match.sessionId),
  });
  const chunksOf = (id: string) => page.snippets.filter((snippet) => snippet.sessionId === id);
  const snippetsOf = (id: string) => chunksOf(id).slice(0, maxSnippets);
  const first = identified.map((session) =>
    presentIdentifierMatch(
      session,
      page.sessions.find((match) => match.sessionId === session.id),
      snippetsOf(session.id),
    ),
  );
  const rest = matches
    .filter((match) => !identifiedIds.has(match.sessionId))
    .flatMap((match) => {
      const session = sessions.get(match.sessionId);
      if (session === undefined) return [];
      const item = presentSession(session, match, snippetsOf(match.sessionId));
      return [explain ? { ...item, explain: explainScore(page, chunksOf(match.sessionId)) } : item];
    });
  return [...first, ...rest];
}

function describeSearch(
  body: SearchRequest,
  answer: { mode: string; effective_mode: string; results: object[]; total: number },
) {
  return {
    mode: answer.mode,
    effective_mode: answer.effective_mode,
    filters: Object.keys(body.filters ?? {}),
    result_count: answer.results.length,
    total_matched: answer.total,
  };
}
