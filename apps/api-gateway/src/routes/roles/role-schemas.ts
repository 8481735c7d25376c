import { Type } from '@sinclair/typebox';
import { ENTERPRISE_PERMISSIONS, PERMISSIONS, type Edition, type Permission } from '@steward/contracts';
import type { Role } from '@steward/slice-gateway';

export const PermissionName = Type.String({ enum: [...PERMISSIONS], description: 'A permission.' });

export const RoleAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  permissions: Type.Array(Type.String()),
  is_system: Type.Boolean(),
});

export function presentRole(role: Role, edition: Edition): object {
  const counts = (permission: string): boolean =>
    edition === 'enterprise' || !ENTERPRISE_PERMISSIONS.includes(permission as Permission);
  return { id: role.id, name: role.name, permissions: role.permissions.filter(counts), is_system: role.isSystem };
}
