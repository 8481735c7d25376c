import { Type } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { findApiKey, findUser, revokeApiKey } from '@steward/identity';
import type { IdentityDeps } from '../identity-deps.ts';
import { requireOutranked } from '../users/role-ceiling.ts';
import { requireFound } from '@steward/api';
import { readKeyReach, requireKeyManagement } from './key-reach.ts';

export function createDeleteApiKeyRoute(deps: IdentityDeps): Route {
  return defineRoute({
    operationId: 'revokeApiKey',
    method: 'delete',
    path: '/api/v1/auth/api-keys/{api_key_id}',
    permissions: [],
    summary: 'Revoke an API key and all keys created with it, effective from the next request on.',
    params: Type.Object({ api_key_id: Type.String({ format: 'uuid', description: 'The key.' }) }),
    responses: { 204: { description: 'Revoked.' } },
    audit: { action: 'delete', resourceType: 'api_key' },
    handler: async ({ params, principal, audit }) => {
      requireKeyManagement(principal);
      const { accountId } = principal;
      const id = params.api_key_id;
      await transact(deps, async (trx) => {
        const key = requireFound(await findApiKey(trx, readKeyReach(principal), id));
        if (key.user_id !== principal.userId) {
          const owner = await findUser(trx, key.user_id, deps.settings.edition);
          if (owner !== undefined) requireOutranked(principal, owner);
        }
        const revoked = await revokeApiKey(trx, { accountId, id, now: deps.clock.now() });
        if (revoked === 0) throw new AppError('not_found');
        await recordAudit(trx, audit({ resourceId: id, details: { revoked } }));
      });
      return { status: 204 };
    },
  });
}
