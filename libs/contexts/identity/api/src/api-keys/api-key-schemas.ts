import { nullable, type AnswerBody } from '@steward/http';
import { Type } from '@sinclair/typebox';
import { findKeyKind, listMostPermissions, PERMISSIONS } from '@steward/contracts';
import type { KeyUse } from '@steward/budgets';
import type { ApiKey } from '@steward/identity';
import { KeyLimitsAnswer, KeyUseAnswer } from './key-limits.ts';

export const PrincipalBinding = Type.Object(
  {
    type: Type.String({ minLength: 1, maxLength: 64, description: 'Kind of principal, for example managed_agent.' }),
    id: Type.String({ minLength: 1, maxLength: 255 }),
    name: Type.Optional(nullable(Type.String({ maxLength: 255 }))),
  },
  { additionalProperties: false, description: 'Calls with the key act as this principal.' },
);

export const KeyScopes = Type.Union(
  [Type.Array(Type.String({ enum: [...PERMISSIONS], title: 'Permission' }), { maxItems: 100 }), Type.Null()],
  {
    description:
      'Permissions that the key is limited to, at most those of the caller. Null: all permissions of its owner; an empty list: none. The key can create and revoke keys only if this list contains `manage_api_keys`; null does not grant that.',
  },
);

const KeyFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  hint: Type.String({ description: 'Last four characters of the key.' }),
  scopes: nullable(Type.Array(Type.String())),
  user_id: Type.String({ format: 'uuid' }),
  parent_id: nullable(
    Type.String({ format: 'uuid' }),
    'The key with which this one was created; when that key is revoked or expires, this one stops working as well.',
  ),
  runtime_principal: Type.Unknown(),
  kind: Type.String({
    enum: ['key', 'agent_key', 'discovery_key'],
    description:
      'Keys of the kind `key` act on behalf of their owner. The other kinds can be used only for the operations whose `x-credential-kinds` include them.',
  }),
  most_permissions: nullable(
    Type.Array(Type.String()),
    'Maximum permissions of a key of this kind, regardless of what its owner and scopes allow. Null: the kind does not limit the permissions.',
  ),
  limits: KeyLimitsAnswer,
  limits_used: KeyUseAnswer,
  expires_at: nullable(Type.String({ format: 'date-time' })),
  last_used_at: nullable(Type.String({ format: 'date-time' })),
  created_at: Type.String({ format: 'date-time' }),
};
export const KeyAnswer = Type.Object(KeyFields);
export const CreatedKeyAnswer = Type.Object({
  ...KeyFields,
  key: Type.String({ description: 'The API key, returned only once.' }),
});

export function presentKey(key: ApiKey, used: KeyUse | undefined): AnswerBody<typeof KeyAnswer> {
  const { runtime_principal_type: type, runtime_principal_id: id, runtime_principal_name: name } = key;
  const kind = findKeyKind({ isBound: type !== null, scopes: key.scopes });
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    scopes: key.scopes,
    user_id: key.user_id,
    parent_id: key.ancestor_ids.at(-1) ?? null,
    runtime_principal: type === null ? null : { type, id, name },
    kind: kind ?? 'key',
    most_permissions: kind === undefined ? null : [...listMostPermissions(kind)],
    limits: key.model_limits,
    limits_used: used ?? null,
    expires_at: key.expires_at,
    last_used_at: key.last_used_at,
    created_at: key.created_at,
  };
}
