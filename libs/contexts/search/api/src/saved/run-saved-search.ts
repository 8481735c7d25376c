import { AGENT_KINDS, AppError } from '@steward/contracts';
import { defineRoute, isSenderGone, type AuditRecord, type Route } from '@steward/http';
import {
  findSavedSearch,
  noteSavedSearchRun,
  type AskedSearch,
  type SavedSearch,
  type SearchCall,
} from '@steward/search';
import { presentSearchAnswer, listSearchPermissions } from '@steward/api';
import { findUnresolvedFilters } from './find-unresolved-filters.ts';
import { presentFilters } from './present-saved-search.ts';
import type { SavedDeps } from './saved-deps.ts';
import { RunAnswer, RunSavedBody, SavedParams } from './saved-schemas.ts';

/**
 * Handles POST /api/v1/runtime-sessions/search/saved/{saved_search_id}/run: runs a saved search, which is limited and
 * audited like any other search.
 */
export function createRunSavedSearchRoute(deps: SavedDeps): Route {
  const { db, search, clock } = deps;
  return defineRoute({
    operationId: 'runSavedSearch',
    method: 'post',
    path: '/api/v1/runtime-sessions/search/saved/{saved_search_id}/run',
    openTo: AGENT_KINDS,
    permissions: listSearchPermissions(deps),
    summary: 'Run a saved search; paging is set in the body.',
    description:
      'The response contains the search result, the filters that refer to deleted objects, and whether the ranking has changed since the search was saved.',
    params: SavedParams,
    body: RunSavedBody,
    bodyOptional: true,
    responses: {
      200: {
        description: 'The search result, and what has changed since the search was saved.',
        name: 'SavedSearchRun',
        schema: RunAnswer,
      },
    },
    audit: { action: 'query', resourceType: 'session_search' },
    onRefused: ({ error, audit }) => {
      const { permission } = error.detail;
      const errorCode = isSenderGone(error) ? 'client_gone' : error.code;
      return search.noteRefusal(describeCall(audit, undefined), {
        errorCode,
        ...(typeof permission === 'string' ? { permission } : {}),
      });
    },
    handler: async ({ params, body, principal, signal, audit }) => {
      const { accountId, userId: viewerId, revisions: { walPosition } = {} } = principal;
      const saved = await findSavedSearch(db, { accountId, viewerId, id: params.saved_search_id });
      if (saved === undefined) {
        await search.noteRefusal(describeCall(audit, undefined), { errorCode: 'not_found' });
        throw new AppError('not_found');
      }
      const { query, mode, filter, maxSnippetsPerSession, includeSnippetText } = saved;
      const request = { query, mode, filter, maxSnippetsPerSession, includeSnippetText, ...body };
      const [answer, unresolved, ranking] = await Promise.all([
        search.search(request, { ...describeCall(audit, saved), walPosition, signal }),
        findUnresolvedFilters(db, accountId, filter),
        search.describeRanking({ accountId, mode }),
      ]);
      if (body.cursor === undefined) await noteSavedSearchRun(db, { accountId, id: saved.id, now: clock.now() });
      return {
        status: 200,
        body: {
          search: presentSearchAnswer(answer, deps.settings),
          unresolved_filters: unresolved,
          ranking_changed: ranking !== saved.rankingIdentity,
        },
      };
    },
  });
}

function describeCall(
  audit: (fact: { readonly resourceId: null }) => AuditRecord,
  saved: SavedSearch | undefined,
): SearchCall {
  return { ...audit({ resourceId: null }), asked: describeAsked(saved) };
}

function describeAsked(saved: SavedSearch | undefined): AskedSearch {
  if (saved === undefined) return { query: undefined, details: {} };
  const { id, query, mode, filter } = saved;
  return { query, details: { mode, filters: Object.keys(presentFilters(filter)), saved_search_id: id } };
}
