import { AGENT_KINDS } from '@steward/contracts';
import { defineRoute, type Route } from '@steward/http';
import { findSavedSearch } from '@steward/search';
import { requireFound, listSearchPermissions } from '@steward/api';
import { presentSavedSearch } from './present-saved-search.ts';
import type { SavedDeps } from './saved-deps.ts';
import { SavedAnswer, SavedParams } from './saved-schemas.ts';

export function createReadSavedSearchRoute(deps: SavedDeps): Route {
  return defineRoute({
    operationId: 'readSavedSearch',
    method: 'get',
    path: '/api/v1/runtime-sessions/search/saved/{saved_search_id}',
    openTo: AGENT_KINDS,
    permissions: listSearchPermissions(deps),
    summary: 'Read a saved search.',
    params: SavedParams,
    responses: { 200: { description: 'The saved search.', name: 'SavedSearch', schema: SavedAnswer } },
    handler: async ({ params, principal: { accountId, userId: viewerId } }) => {
      const search = requireFound(await findSavedSearch(deps.db, { accountId, viewerId, id: params.saved_search_id }));
      return { status: 200, body: presentSavedSearch(search, viewerId) };
    },
  });
}
