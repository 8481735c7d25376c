import { AppError } from '@steward/contracts';
import { defineRoute, type Route } from '@steward/http';
import { findSavedSearch } from '@steward/slice-search';
import { presentSavedSearch } from './present-saved-search.ts';
import { listSavedPermissions, SAVED_SEARCH_PATH, type SavedDeps } from './saved-deps.ts';
import { SavedAnswer, SavedParams } from './saved-schemas.ts';

export function createReadSavedSearchRoute(deps: SavedDeps): Route {
  return defineRoute({
    method: 'get',
    path: SAVED_SEARCH_PATH,
    auth: 'bearer',
    permissions: listSavedPermissions(deps),
    tag: 'session search',
    summary: 'One saved search.',
    params: SavedParams,
    responses: { 200: { description: 'The saved search.', schema: SavedAnswer } },
    handler: async ({ params, principal: { accountId, userId: viewerId } }) => {
      const search = await findSavedSearch(deps.db, { accountId, viewerId, id: params.saved_search_id });
      if (search === undefined) throw new AppError('not_found');
      return { status: 200, body: presentSavedSearch(search, viewerId) };
    },
  });
}
