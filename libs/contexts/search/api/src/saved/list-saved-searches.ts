import { AGENT_KINDS } from '@steward/contracts';
import { defineRoute, pageOf, readIdPage, toIdPage, type Route } from '@steward/http';
import { listSavedSearches } from '@steward/search';
import { listSearchPermissions } from '@steward/api';
import { presentSavedSearch } from './present-saved-search.ts';
import type { SavedDeps } from './saved-deps.ts';
import { SavedAnswer, SavedQuery } from './saved-schemas.ts';

export function createListSavedSearchesRoute(deps: SavedDeps): Route {
  return defineRoute({
    operationId: 'listSavedSearches',
    method: 'get',
    path: '/api/v1/runtime-sessions/search/saved',
    openTo: AGENT_KINDS,
    permissions: listSearchPermissions(deps),
    summary: 'List your saved searches and those shared with the account, newest first.',
    query: SavedQuery,
    responses: { 200: { description: 'A page of saved searches.', name: 'SavedSearch', schema: pageOf(SavedAnswer) } },
    handler: async ({ query, principal: { accountId, userId: viewerId } }) => {
      const { name, visibility } = query;
      const { limit, beforeId } = readIdPage(query);
      const found = await listSavedSearches(deps.db, { accountId, viewerId, name, visibility, beforeId, limit });
      const page = toIdPage(found, limit, (search) => presentSavedSearch(search, viewerId));
      return { status: 200, body: page };
    },
  });
}
