import { defineRoute, type Route } from '@steward/http';
import { findSavedSearch } from '@steward/slice-search';
import { requireFound } from '../../require-found.ts';
import { listSearchPermissions } from '../search-deps.ts';
import { presentSavedSearch } from './present-saved-search.ts';
import { SAVED_SEARCH_PATH, type SavedDeps } from './saved-deps.ts';
import { SavedAnswer, SavedParams } from './saved-schemas.ts';

export function createReadSavedSearchRoute(deps: SavedDeps): Route {
  return defineRoute({
    method: 'get',
    path: SAVED_SEARCH_PATH,
    auth: 'bearer',
    permissions: listSearchPermissions(deps),
    tag: 'session search',
    summary: 'One saved search.',
    params: SavedParams,
    responses: { 200: { description: 'The saved search.', schema: SavedAnswer } },
    handler: async ({ params, principal: { accountId, userId: viewerId } }) => {
      const search = requireFound(await findSavedSearch(deps.db, { accountId, viewerId, id: params.saved_search_id }));
      return { status: 200, body: presentSavedSearch(search, viewerId) };
    },
  });
}
