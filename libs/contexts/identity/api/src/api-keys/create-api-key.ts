import { Type, type Static } from '@sinclair/typebox';
import { AppError, KEY_ONLY_PERMISSIONS, type Permission, type Principal } from '@steward/contracts';
import { transact, type AnyTransaction } from '@steward/database';
import { defineRoute, nullable, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { lockAgent, resolveAgentId } from '@steward/agents';
import { createApiKey, type CreateApiKeyOutcome, MANAGED_AGENT, requireApiKeyQuota } from '@steward/identity';
import { toStorableText } from '@steward/text';
import type { IdentityDeps } from '../identity-deps.ts';
import { requireOwnPermissions } from '../users/role-ceiling.ts';
import { CreatedKeyAnswer, KeyScopes, PrincipalBinding } from './api-key-schemas.ts';
import { KeyLimitsBody, readKeyLimits, requireNoLimits } from './key-limits.ts';
import { requireKeyManagement } from './key-reach.ts';
import { createKeyPresenter } from './present-keys.ts';

type Binding = Static<typeof PrincipalBinding> | NonNullable<Principal['runtimePrincipal']>;

const Body = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
    expires_at: Type.Optional(nullable(Type.String({ format: 'date-time' }))),
    scopes: Type.Optional(KeyScopes),
    runtime_principal: Type.Optional(nullable(PrincipalBinding)),
    limits: Type.Optional(nullable(KeyLimitsBody)),
  },
  { additionalProperties: false },
);

export function createCreateApiKeyRoute(deps: IdentityDeps): Route {
  return defineRoute({
    operationId: 'createApiKey',
    method: 'post',
    path: '/api/v1/auth/api-keys',
    permissions: [],
    summary: 'Create an API key. Clients send the key as a bearer token.',
    description:
      'If one key is used to create another, the new key cannot have scopes that its parent lacks, and cannot expire later than its parent. If the parent is bound, the new key has the same binding. If `scopes`, `expires_at` or `runtime_principal` is omitted, the new key inherits the value of its parent, except that the scope `manage_api_keys` is never inherited. The new key stops working when its parent does.',
    body: Body,
    bodyExample: {
      name: 'CI of the shop',
      scopes: ['execute_flows', 'view_flows'],
      expires_at: '2027-01-01T00:00:00Z',
    },
    responses: {
      201: { description: 'The API key, returned only once.', name: 'CreatedApiKey', schema: CreatedKeyAnswer },
    },
    audit: { resourceType: 'api_key' },
    handler: async ({ body, principal, audit }) => {
      requireKeyManagement(principal);
      const scopes = (body.scopes ?? null) as Permission[] | null;
      requireOwnPermissions(principal, listToOwn(principal, scopes ?? []));
      const expiresAt = readFutureDate(body.expires_at, deps.clock.now());
      const { accountId, userId } = principal;
      const { accountMaxApiKeys: limit, userMaxApiKeys: userLimit } = deps.settings;
      if (body.limits !== undefined && body.limits !== null) requireNoLimits(principal);
      const modelLimits = await readKeyLimits(deps.db, accountId, body.limits ?? null);
      const created = await transact(deps, async (trx) => {
        await requireApiKeyQuota(trx, { accountId, limit, userId, userLimit, now: deps.clock.now() });
        const asked = body.runtime_principal ?? principal.runtimePrincipal;
        const binding = await readBinding(trx, accountId, asked);
        const outcome = await createApiKey(trx, {
          accountId,
          userId,
          parentId: principal.apiKeyId,
          name: toStorableText(body.name),
          scopes,
          expiresAt,
          modelLimits,
          ...binding,
        });
        const made = requireCreated(outcome);
        const { id, scopes: given, expires_at } = made.record;
        await recordAudit(trx, audit({ resourceId: id, details: { scopes: given, expires_at, limits: modelLimits } }));
        return made;
      });
      const present = await createKeyPresenter(deps, accountId, [created.record]);
      return { status: 201, body: { ...present(created.record), key: created.key } };
    },
  });
}

/**
 * Returns the permissions that the caller needs in order to grant the scopes; a person implicitly has the permissions
 * that exist only for keys.
 */
function listToOwn(principal: Principal, scopes: readonly Permission[]): readonly Permission[] {
  return principal.kind === 'user' ? scopes.filter((scope) => !KEY_ONLY_PERMISSIONS.includes(scope)) : scopes;
}

/**
 * Returns the identity that the key acts as; an agent must be registered and not retired, and is locked until the key
 * is stored.
 * @throws unknown_agent
 */
async function readBinding(trx: AnyTransaction, accountId: string, binding: Binding | undefined) {
  if (binding === undefined) return { runtimePrincipal: null };
  const type = toStorableText(binding.type);
  const id = toStorableText(binding.id);
  if (type !== MANAGED_AGENT) return { runtimePrincipal: { type, id, name: binding.name ?? null } };
  const current = await resolveAgentId(trx, { accountId, id });
  const agent = current === undefined ? undefined : await lockAgent(trx, { accountId, id: current }, 'share');
  // The agent was merged while this request waited for the lock, so the binding is read again.
  if (agent !== undefined && agent.mergedInto !== null) return readBinding(trx, accountId, binding);
  if (agent === undefined || agent.lifecycleState === 'retired')
    throw new AppError('unknown_agent', { detail: { field: 'runtime_principal.id' } });
  return {
    runtimePrincipal: { type, id: agent.id, name: binding.name ?? agent.displayName },
    isSuspended: agent.lifecycleState === 'suspended',
  };
}

function requireCreated(outcome: CreateApiKeyOutcome) {
  switch (outcome.kind) {
    case 'created':
      return outcome;
    case 'outlives_parent':
      throw invalid(
        'expires_at',
        `must not be after ${outcome.parentExpiresAt.toISOString()}, when the key that creates it expires`,
      );
    case 'binding_differs':
      throw invalid('runtime_principal', 'must be the same as that of the key that creates it');
    case 'too_deep':
      throw new AppError('conflict', {
        message:
          'The chain of keys that were each created with the previous one is too long; log in to create this key.',
      });
    case 'owner_gone':
      throw new AppError('unauthenticated');
  }
}

function readFutureDate(text: string | null | undefined, now: Date): Date | null {
  if (text === null || text === undefined) return null;
  const date = new Date(text);
  if (date > now) return date;
  throw invalid('expires_at', 'must be in the future');
}

function invalid(field: string, problem: string): AppError {
  return new AppError('invalid_request', { message: `"${field}" ${problem}.`, detail: { field } });
}
