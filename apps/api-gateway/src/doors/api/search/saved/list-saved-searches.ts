import { decodeIdCursor, defineRoute, encodeIdCursor, pageOf, toPage, type Route } from '@steward/http';
import { listSavedSearches } from '@steward/slice-search';
import { presentSavedSearch } from './present-saved-search.ts';
import { listSavedPermissions, SAVED_PATH, type SavedDeps } from './saved-deps.ts';
import { SavedAnswer, SavedQuery } from './saved-schemas.ts';

export function createListSavedSearchesRoute(deps: SavedDeps): Route {
  return defineRoute({
    method: 'get',
    path: SAVED_PATH,
    auth: 'bearer',
    permissions: listSavedPermissions(deps),
    tag: 'session search',
    summary: 'List one’s own saved searches and those shared with the account, newest first.',
    query: SavedQuery,
    responses: { 200: { description: 'A page of saved searches.', schema: pageOf(SavedAnswer) } },
    handler: async ({ query, principal: { accountId, userId: viewerId } }) => {
      const { limit = 50, name, visibility } = query;
      const beforeId = decodeIdCursor(query.cursor);
      const found = await listSavedSearches(deps.db, { accountId, viewerId, name, visibility, beforeId, limit });
      const page = toPage(found, limit, {
        item: (search) => presentSavedSearch(search, viewerId),
        cursor: (search) => encodeIdCursor(search.id),
      });
      return { status: 200, body: page };
    },
  });
}
