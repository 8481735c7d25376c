import { Type } from '@sinclair/typebox';
import { transact } from '@steward/database';
import { defineRoute, nullable, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { findApiKey, findUser, updateApiKey } from '@steward/identity';
import { toStorableText } from '@steward/text';
import type { IdentityDeps } from '../identity-deps.ts';
import { requireOutranked } from '../users/role-ceiling.ts';
import { requireFound } from '@steward/api';
import { KeyAnswer } from './api-key-schemas.ts';
import { KeyLimitsBody, readKeyLimits, requireNoLimits } from './key-limits.ts';
import { readKeyReach, requireKeyManagement } from './key-reach.ts';
import { createKeyPresenter } from './present-keys.ts';

const Body = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })),
    limits: Type.Optional(nullable(KeyLimitsBody)),
  },
  { additionalProperties: false },
);

export function createUpdateApiKeyRoute(deps: IdentityDeps): Route {
  return defineRoute({
    operationId: 'updateApiKey',
    method: 'patch',
    path: '/api/v1/auth/api-keys/{api_key_id}',
    permissions: [],
    summary: 'Rename an API key, or change its limits; new limits apply from the key’s next call on.',
    description: 'Omitted fields keep their values; `limits` are replaced as a whole, and null removes them.',
    params: Type.Object({ api_key_id: Type.String({ format: 'uuid', description: 'The key.' }) }),
    body: Body,
    bodyExample: { limits: { models: ['fast'], calls_per_minute: 60 } },
    responses: { 200: { description: 'The key.', name: 'ApiKey', schema: KeyAnswer } },
    audit: { resourceType: 'api_key' },
    handler: async ({ params, body, principal, audit }) => {
      requireKeyManagement(principal);
      requireNoLimits(principal);
      const { accountId } = principal;
      const id = params.api_key_id;
      const modelLimits = body.limits === undefined ? undefined : await readKeyLimits(deps.db, accountId, body.limits);
      const name = body.name === undefined ? undefined : toStorableText(body.name);
      const updated = await transact(deps, async (trx) => {
        const reach = readKeyReach(principal);
        const key = requireFound(await findApiKey(trx, reach, id));
        if (key.user_id !== principal.userId) {
          const owner = await findUser(trx, key.user_id, deps.settings.edition);
          if (owner !== undefined) requireOutranked(principal, owner);
        }
        const changed = requireFound(await updateApiKey(trx, reach, id, { name, modelLimits }));
        await recordAudit(trx, audit({ resourceId: id, details: body }));
        return changed;
      });
      const present = await createKeyPresenter(deps, accountId, [updated]);
      return { status: 200, body: present(updated) };
    },
  });
}
