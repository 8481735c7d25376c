import type { AnswerBody } from '@steward/http';
import { Type } from '@sinclair/typebox';
import { existsInEdition, ROLE_PERMISSIONS, type Edition } from '@steward/contracts';
import type { Role } from '@steward/identity';

export const RoleParams = Type.Object({ role_id: Type.String({ format: 'uuid', description: 'The role.' }) });
export const RolePermissions = Type.Array(Type.String({ enum: [...ROLE_PERMISSIONS], description: 'A permission.' }), {
  maxItems: 100,
});

export const RoleAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  permissions: Type.Array(Type.String()),
  is_system: Type.Boolean(),
});

export function presentRole(role: Role, edition: Edition): AnswerBody<typeof RoleAnswer> {
  const permissions = role.permissions.filter((permission) => existsInEdition(permission, edition));
  return { id: role.id, name: role.name, permissions, is_system: role.isSystem };
}
