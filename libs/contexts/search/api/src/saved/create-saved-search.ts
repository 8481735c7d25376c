import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { createSavedSearch } from '@steward/search';
import { requireReach, readFilters, listSearchPermissions } from '@steward/api';
import { presentSavedSearch } from './present-saved-search.ts';
import { refuseChange, type SavedDeps } from './saved-deps.ts';
import { CreateSavedBody, SavedAnswer } from './saved-schemas.ts';

export function createCreateSavedSearchRoute(deps: SavedDeps): Route {
  return defineRoute({
    operationId: 'createSavedSearch',
    method: 'post',
    path: '/api/v1/runtime-sessions/search/saved',
    permissions: listSearchPermissions(deps),
    summary: 'Save a search under a name, privately or for the account.',
    body: CreateSavedBody,
    bodyExample: { name: 'Refunds', query: 'refund or chargeback', visibility: 'account' },
    responses: { 201: { description: 'The saved search.', name: 'SavedSearch', schema: SavedAnswer } },
    audit: { resourceType: 'saved_search' },
    handler: async ({ body, principal, audit }) => {
      requireReach(principal, undefined);
      const { accountId, userId: ownerId } = principal;
      const { mode = 'keyword', visibility = 'private' } = body;
      const fields = {
        name: body.name,
        query: body.query,
        mode,
        filter: readFilters(body.filters),
        maxSnippetsPerSession: body.max_snippets_per_session ?? 3,
        includeSnippetText: body.include_snippet_text ?? true,
        visibility,
      };
      const search = await transact(deps, async (trx) => {
        const input = { accountId, ownerId, fields, now: deps.clock.now() };
        const outcome = await createSavedSearch(trx, input, deps.search);
        if (outcome.kind !== 'saved') throw refuseChange(outcome.kind);
        // The entry is written without the query, and also without the name, which may contain the query.
        await recordAudit(trx, audit({ resourceId: outcome.search.id, details: { mode, visibility } }));
        return outcome.search;
      });
      return { status: 201, body: presentSavedSearch(search, ownerId) };
    },
  });
}
