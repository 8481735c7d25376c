import { AGENT_KINDS } from '@steward/contracts';
import { defineRoute, isSenderGone, type AuditRecord, type Route } from '@steward/http';
import type { SearchCall } from '@steward/search';
import {
  listSearchPermissions,
  presentSearchAnswer,
  readAskedSearch,
  readSearchRequest,
  SearchAnswerSchema,
  SearchBodySchema,
} from '@steward/api';
import type { SearchDeps } from './search-deps.ts';

export function createSearchRoute(deps: Pick<SearchDeps, 'search' | 'settings'>): Route {
  return defineRoute({
    operationId: 'searchSessions',
    method: 'post',
    path: '/api/v1/runtime-sessions/search',
    openTo: AGENT_KINDS,
    permissions: listSearchPermissions(deps),
    summary: 'Search the content of runtime sessions.',
    body: SearchBodySchema,
    bodyExample: { query: '"tax is added twice"', mode: 'hybrid', filters: { label: 'team:shop' }, limit: 10 },
    responses: {
      200: {
        description: 'A page of sessions, best first, and the coverage of the index.',
        name: 'SearchAnswer',
        schema: SearchAnswerSchema,
      },
    },
    audit: { action: 'query', resourceType: 'session_search' },
    onRefused: ({ error, audit, body }) => {
      const { permission } = error.detail;
      const errorCode = isSenderGone(error) ? 'client_gone' : error.code;
      return deps.search.noteRefusal(describeCall(audit, body), {
        errorCode,
        ...(typeof permission === 'string' ? { permission } : {}),
      });
    },
    handler: async ({ body, signal, audit, principal }) => {
      const { walPosition } = principal.revisions ?? {};
      const call = { ...describeCall(audit, body), walPosition, signal };
      const answer = await deps.search.search(readSearchRequest(body), call);
      return { status: 200, body: presentSearchAnswer(answer, deps.settings) };
    },
  });
}

/**
 * Returns the data for the audit row. The search service writes this row, because only the service knows the outcome.
 */
function describeCall(audit: (fact: { readonly resourceId: null }) => AuditRecord, body: unknown): SearchCall {
  return { ...audit({ resourceId: null }), asked: readAskedSearch(body) };
}
