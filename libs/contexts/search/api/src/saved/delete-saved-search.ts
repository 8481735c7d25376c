import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { deleteSavedSearch } from '@steward/search';
import { requireReach, listSearchPermissions } from '@steward/api';
import { refuseChange, type SavedDeps } from './saved-deps.ts';
import { SavedParams } from './saved-schemas.ts';

export function createDeleteSavedSearchRoute(deps: SavedDeps): Route {
  return defineRoute({
    operationId: 'deleteSavedSearch',
    method: 'delete',
    path: '/api/v1/runtime-sessions/search/saved/{saved_search_id}',
    permissions: listSearchPermissions(deps),
    summary: 'Delete your own saved search or, with manage_users, a shared search of another user.',
    params: SavedParams,
    responses: { 204: { description: 'Deleted.' } },
    audit: { resourceType: 'saved_search' },
    handler: async ({ params, principal, audit }) => {
      requireReach(principal, undefined);
      const { accountId, userId: viewerId } = principal;
      const id = params.saved_search_id;
      const mayDeleteShared = principal.permissions.has('manage_users');
      await transact(deps, async (trx) => {
        const outcome = await deleteSavedSearch(trx, { accountId, viewerId, id, mayDeleteShared });
        if (outcome.kind !== 'deleted') throw refuseChange(outcome.kind);
        await recordAudit(trx, audit({ resourceId: id }));
      });
      return { status: 204 };
    },
  });
}
