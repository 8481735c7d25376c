import fc from 'fast-check';
import { EDITIONS, existsInEdition, PERMISSIONS, type Permission } from '@steward/contracts';
import { effectivePermissions, toUser, type UserWithRole } from './user.ts';

const permission = fc.constantFrom(...PERMISSIONS);
/** Generates possible contents of a row: permissions in any order, duplicates, and names from another release. */
const stored = fc.array(fc.oneof(permission, fc.string(), fc.constantFrom('__proto__', 'MANAGE_USERS', ' view_flows')));
const edition = fc.constantFrom(...EDITIONS);

describe('the effective permissions (ACC-16, ACC-22)', () => {
  it('are those that are stored and exist in the edition, in the order of the permission catalog', () => {
    fc.assert(
      fc.property(stored, edition, (names, of) => {
        const found = effectivePermissions(names, of);
        expect(found).toEqual(PERMISSIONS.filter((one) => found.includes(one)));
        for (const one of found) expect([names.includes(one), existsInEdition(one, of)]).toEqual([true, true]);
        for (const one of PERMISSIONS)
          if (names.includes(one) && existsInEdition(one, of)) expect(found).toContain(one);
      }),
    );
  });

  it('do not depend on order or repetition, and do not change when computed again', () => {
    fc.assert(
      fc.property(stored, edition, (names, of) => {
        const found = effectivePermissions(names, of);
        expect(effectivePermissions([...names].reverse(), of)).toEqual(found);
        expect(effectivePermissions([...names, ...names], of)).toEqual(found);
        expect(effectivePermissions(found, of)).toEqual(found);
      }),
    );
  });

  it('grow with the stored ones, and with the edition', () => {
    fc.assert(
      fc.property(stored, permission, edition, (names, further, of) => {
        const fewer = effectivePermissions(names, of);
        expect(effectivePermissions([...names, further], of)).toEqual(expect.arrayContaining(fewer));
        expect(effectivePermissions(names, 'enterprise')).toEqual(expect.arrayContaining(fewer));
      }),
    );
  });

  it('are empty for an empty list, and complete for a list of all permissions', () => {
    for (const of of EDITIONS) {
      expect(effectivePermissions([], of)).toEqual([]);
      expect(effectivePermissions(PERMISSIONS, of)).toEqual(PERMISSIONS.filter((one) => existsInEdition(one, of)));
    }
  });
});

describe('a user as returned in responses', () => {
  const row: UserWithRole = {
    id: 'id',
    account_id: 'account',
    username: 'dana',
    email: 'dana@example.test',
    full_name: null,
    password_hash: 'scrypt$...',
    is_active: true,
    token_generation: 7,
    created_at: new Date(0),
    role_id: 'role',
    role: 'viewer',
    permissions: ['view_flows' satisfies Permission],
  };

  it('is marked as invited as long as there is no password (ACC-3)', () => {
    expect(toUser(row, 'oss').isInvited).toBe(false);
    expect(toUser({ ...row, password_hash: null }, 'oss').isInvited).toBe(true);
  });

  it('contains neither the hash nor the generation of its tokens (API-15)', () => {
    expect(Object.keys(toUser(row, 'oss')).sort()).toEqual(
      [
        ...['accountId', 'createdAt', 'email', 'fullName', 'id'],
        ...['isActive', 'isInvited', 'permissions', 'role', 'username'],
      ].sort(),
    );
    expect(Object.values(toUser(row, 'oss'))).not.toContain('scrypt$...');
  });
});
