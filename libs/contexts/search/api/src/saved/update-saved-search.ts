import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { updateSavedSearch } from '@steward/search';
import { requireReach, readFilters, listSearchPermissions } from '@steward/api';
import { presentSavedSearch } from './present-saved-search.ts';
import { refuseChange, type SavedDeps } from './saved-deps.ts';
import { SavedAnswer, SavedParams, UpdateSavedBody } from './saved-schemas.ts';

export function createUpdateSavedSearchRoute(deps: SavedDeps): Route {
  return defineRoute({
    operationId: 'updateSavedSearch',
    method: 'patch',
    path: '/api/v1/runtime-sessions/search/saved/{saved_search_id}',
    permissions: listSearchPermissions(deps),
    summary: 'Update your own saved search; omitted fields keep their values, and `filters` is replaced as a whole.',
    params: SavedParams,
    body: UpdateSavedBody,
    bodyExample: { visibility: 'private' },
    responses: { 200: { description: 'The saved search.', name: 'SavedSearch', schema: SavedAnswer } },
    audit: { resourceType: 'saved_search' },
    handler: async ({ params, body, principal, audit }) => {
      requireReach(principal, undefined);
      const { accountId, userId: viewerId } = principal;
      const id = params.saved_search_id;
      const patch = {
        name: body.name,
        query: body.query,
        mode: body.mode,
        filter: body.filters === undefined ? undefined : readFilters(body.filters),
        maxSnippetsPerSession: body.max_snippets_per_session,
        includeSnippetText: body.include_snippet_text,
        visibility: body.visibility,
      };
      const search = await transact(deps, async (trx) => {
        const input = { accountId, viewerId, id, patch, now: deps.clock.now() };
        const outcome = await updateSavedSearch(trx, input, deps.search);
        if (outcome.kind !== 'saved') throw refuseChange(outcome.kind);
        await recordAudit(trx, audit({ resourceId: id, details: { changed: Object.keys(body).sort() } }));
        return outcome.search;
      });
      return { status: 200, body: presentSavedSearch(search, viewerId) };
    },
  });
}
