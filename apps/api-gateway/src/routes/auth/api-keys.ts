import { Type } from '@sinclair/typebox';
import type { Permission } from '@steward/contracts';
import { transact } from '@steward/database';
import {
  decodeIdCursor,
  defineRoute,
  encodeIdCursor,
  PageQuery,
  pageOf,
  toPage,
  type Principal,
  type Route,
} from '@steward/http';
import { AppError, toStorableText } from '@steward/runtime';
import { createApiKey, listApiKeys, recordAudit, revokeApiKey, type ApiKey } from '@steward/slice-gateway';
import { describeActor } from '../../auth/describe-actor.ts';
import type { GatewayDeps } from '../../gateway-deps.ts';
import { PermissionName } from '../roles/role-schemas.ts';
import { requireOwnPermissions } from '../users/role-ceiling.ts';

const PrincipalBinding = Type.Object(
  {
    type: Type.String({ minLength: 1, maxLength: 64, description: 'Kind of principal, for example managed_agent.' }),
    id: Type.String({ minLength: 1, maxLength: 255 }),
    name: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()])),
  },
  { additionalProperties: false, description: 'Calls with the key act as this principal.' },
);

const Body = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
    expires_at: Type.Optional(Type.Union([Type.String({ format: 'date-time' }), Type.Null()])),
    scopes: Type.Optional(
      Type.Array(PermissionName, {
        maxItems: 100,
        description: 'Permissions the key is limited to; empty means all of its owner.',
      }),
    ),
    runtime_principal: Type.Optional(Type.Union([PrincipalBinding, Type.Null()])),
  },
  { additionalProperties: false },
);

const KeyFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  hint: Type.String({ description: 'Last four characters of the key.' }),
  scopes: Type.Array(Type.String()),
  user_id: Type.String({ format: 'uuid' }),
  runtime_principal: Type.Unknown(),
  expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  last_used_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  created_at: Type.String({ format: 'date-time' }),
};
const KeyAnswer = Type.Object(KeyFields);
const CreatedKeyAnswer = Type.Object({ ...KeyFields, key: Type.String({ description: 'The key; shown this once.' }) });

export function createCreateApiKeyRoute(deps: GatewayDeps): Route {
  return defineRoute({
    method: 'post',
    path: '/api/v1/auth/api-keys',
    auth: 'bearer',
    tag: 'authentication',
    summary: 'Create an API key; it is sent as a bearer token.',
    body: Body,
    responses: { 201: { description: 'The key, shown this once.', schema: CreatedKeyAnswer } },
    handler: async ({ body, principal, requestId }) => {
      if (principal.runtimeSessionId !== undefined) {
        // The run ends and its token with it; a key made by it would not.
        throw new AppError('permission_denied', { message: 'The token of an execution cannot make API keys.' });
      }
      const scopes = (body.scopes ?? []) as Permission[];
      // A scoped key must not make itself a wider one.
      const narrowed = scopes.length === 0 && principal.kind === 'api_key' ? [...principal.permissions] : scopes;
      requireOwnPermissions(principal, narrowed);
      const expiresAt = readFutureDate(body.expires_at, deps.clock.now());
      const binding = body.runtime_principal ?? null;
      const created = await transact(deps, async (trx) => {
        const result = await createApiKey(trx, {
          accountId: principal.accountId,
          userId: principal.userId,
          name: toStorableText(body.name),
          scopes: narrowed,
          expiresAt,
          runtimePrincipal:
            binding === null
              ? null
              : { type: toStorableText(binding.type), id: toStorableText(binding.id), name: binding.name ?? null },
        });
        await auditKey(trx, principal, { action: 'create', id: result.record.id, requestId });
        return result;
      });
      return { status: 201, body: { ...presentKey(created.record), key: created.key } };
    },
  });
}

export function createListApiKeysRoute(deps: GatewayDeps): Route {
  return defineRoute({
    method: 'get',
    path: '/api/v1/auth/api-keys',
    auth: 'bearer',
    tag: 'authentication',
    summary: 'List API keys, newest first: your own, or with manage_users those of the account.',
    query: Type.Object(PageQuery, { additionalProperties: false }),
    responses: { 200: { description: 'A page of keys.', schema: pageOf(KeyAnswer) } },
    handler: async ({ query, principal }) => {
      const limit = query.limit ?? 50;
      const keys = await listApiKeys(deps.db, {
        ...ownership(principal),
        beforeId: decodeIdCursor(query.cursor),
        limit,
      });
      return { status: 200, body: toPage(keys, limit, { item: presentKey, cursor: (key) => encodeIdCursor(key.id) }) };
    },
  });
}

export function createDeleteApiKeyRoute(deps: GatewayDeps): Route {
  return defineRoute({
    method: 'delete',
    path: '/api/v1/auth/api-keys/{api_key_id}',
    auth: 'bearer',
    tag: 'authentication',
    summary: 'Revoke an API key; it stops working with the next request.',
    params: Type.Object({ api_key_id: Type.String({ format: 'uuid', description: 'The key.' }) }),
    responses: { 204: { description: 'Revoked.' } },
    handler: async ({ params, principal, requestId }) => {
      await transact(deps, async (trx) => {
        const revoked = await revokeApiKey(trx, {
          ...ownership(principal),
          id: params.api_key_id,
          now: deps.clock.now(),
        });
        if (!revoked) throw new AppError('not_found');
        await auditKey(trx, principal, { action: 'delete', id: params.api_key_id, requestId });
      });
      return { status: 204 };
    },
  });
}

/** Everybody manages their own keys; `manage_users` reaches those of the whole account. */
function ownership(principal: Principal): { accountId: string; userId: string | undefined } {
  const all = principal.permissions.has('manage_users');
  return { accountId: principal.accountId, userId: all ? undefined : principal.userId };
}

function readFutureDate(text: string | null | undefined, now: Date): Date | null {
  if (text === null || text === undefined) return null;
  const date = new Date(text);
  if (date > now) return date;
  throw new AppError('invalid_request', {
    message: '"expires_at" must be in the future.',
    detail: { field: 'expires_at' },
  });
}

async function auditKey(
  trx: Parameters<typeof recordAudit>[0],
  principal: Principal,
  fact: { readonly action: string; readonly id: string; readonly requestId: string },
): Promise<void> {
  await recordAudit(trx, {
    accountId: principal.accountId,
    actor: describeActor(principal),
    source: 'console',
    action: fact.action,
    resourceType: 'api_key',
    resourceId: fact.id,
    status: 'success',
    requestId: fact.requestId,
  });
}

function presentKey(key: ApiKey): object {
  const { runtime_principal_type: type, runtime_principal_id: id, runtime_principal_name: name } = key;
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    scopes: key.scopes,
    user_id: key.user_id,
    runtime_principal: type === null ? null : { type, id, name },
    expires_at: key.expires_at,
    last_used_at: key.last_used_at,
    created_at: key.created_at,
  };
}
