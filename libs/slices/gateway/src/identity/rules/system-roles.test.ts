import { listSystemRolePermissions, SYSTEM_ROLES } from '@steward/contracts';
import { SYSTEM_ROLE_PERMISSIONS } from '../../../migrations/0001_create_identity.ts';

describe('system roles', () => {
  it.each(SYSTEM_ROLES)('%s is seeded with exactly the permissions of the contract', (role) => {
    expect([...(SYSTEM_ROLE_PERMISSIONS[role] ?? [])].sort()).toEqual([...listSystemRolePermissions(role)].sort());
  });
});
