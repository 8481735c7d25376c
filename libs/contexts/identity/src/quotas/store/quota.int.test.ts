import fc from 'fast-check';
import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { createApiKey } from '../../keys/operations/create-api-key.ts';
import { revokeApiKey } from '../../keys/store/api-key.store.ts';
import { createRole } from '../../roles/operations/create-role.ts';
import { EDITION, later, NOW, useIdentity } from '../../testing/open-identity.ts';
import { createUser } from '../../users/operations/create-user.ts';
import type { User } from '../../users/rules/user.ts';
import { requireApiKeyQuota, requireRoleQuota, requireUserQuota } from './quota.store.ts';

const identity = useIdentity();

/** Functions that add a row in the same way as the routes, within a quota, and return its id if needed. */
const addOne: Record<
  'key' | 'role' | 'user',
  (trx: AnyTransaction, owner: User, limit: number, now?: Date) => Promise<string>
> = {
  key: async (trx, { id: userId, accountId }, limit, now = NOW) => {
    await requireApiKeyQuota(trx, { accountId, limit, userId, userLimit: limit, now });
    const input = { accountId, userId, name: 'ci', parentId: undefined, scopes: null, runtimePrincipal: null };
    const outcome = await createApiKey(trx, { ...input, expiresAt: later(60) });
    return outcome.kind === 'created' ? outcome.record.id : '';
  },
  role: async (trx, { accountId }, limit) => {
    await requireRoleQuota(trx, { accountId, limit });
    await createRole(trx, { accountId, name: `role-${newId()}`.slice(0, 50), permissions: [] });
    return '';
  },
  user: async (trx, { accountId }, limit) => {
    await requireUserQuota(trx, { accountId, limit });
    const username = `u-${newId()}`;
    const input = { username, email: `${username}@example.test`, fullName: null, passwordHash: null, role: 'viewer' };
    return (await createUser(trx, { ...input, accountId }, EDITION)).kind;
  },
};

describe.each([
  ['API keys (LIM-3)', 'key', 3, 'ACCOUNT_MAX_API_KEYS'],
  ['custom roles (LIM-4)', 'role', 3, 'ACCOUNT_MAX_ROLES'],
  // Only two more users fit, because the owner is one of them.
  ['users (LIM-5)', 'user', 2, 'ACCOUNT_MAX_USERS'],
] as const)('the quota of %s', (_name, kind, fits, variable) => {
  it('limits simultaneous additions, and the error names the setting', async () => {
    const owner = await identity().addAccount();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => identity().run((trx) => addOne[kind](trx, owner, 3))),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(fits);
    const [refused] = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused?.reason).toMatchObject({
      code: 'quota_reached',
      detail: { limit: 3 },
      message: expect.stringContaining(variable) as unknown,
    });
  });

  it('belongs to one account', async () => {
    const [one, other] = [await identity().addAccount(), await identity().addAccount()];
    for (let index = 0; index < fits; index += 1) await identity().run((trx) => addOne[kind](trx, one, 3));
    await expect(identity().run((trx) => addOne[kind](trx, one, 3))).rejects.toThrow(/which is the quota/);
    await identity().run((trx) => addOne[kind](trx, other, 3));
  });
});

describe('the quota of the API keys of one user (LIM-67)', () => {
  const add = (user: User, now = NOW) =>
    identity().run(async (trx) => {
      const { accountId, id: userId } = user;
      await requireApiKeyQuota(trx, { accountId, limit: 5, userId, userLimit: 3, now });
      const input = { accountId, userId, name: 'ci', parentId: undefined, scopes: null, runtimePrincipal: null };
      const outcome = await createApiKey(trx, { ...input, expiresAt: later(60) });
      return outcome.kind === 'created' ? outcome.record.id : '';
    });

  it('applies to each user and to the account, under simultaneous requests and while keys are revoked or expire', async () => {
    // Two users add keys in random order; occasionally a key is revoked.
    const step = fc.record({ isSecond: fc.boolean(), revokes: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const owner = await identity().addAccount();
        const users = [owner, await identity().addUser(owner.accountId)] as const;
        const outcomes = await Promise.allSettled(
          steps.map(async ({ isSecond, revokes }) => {
            const id = await add(users[isSecond ? 1 : 0]);
            if (revokes) await identity().run((trx) => revokeApiKey(trx, { accountId: owner.accountId, id, now: NOW }));
          }),
        );
        const counts = await identity().query<{ keys: number }>(
          `select count(*)::int as keys from gateway.api_key where account_id = $1 and revoked_at is null group by user_id`,
          [owner.accountId],
        );
        const living = counts.map(({ keys }) => keys);
        expect(Math.max(0, ...living)).toBeLessThanOrEqual(3);
        expect(living.reduce((sum, keys) => sum + keys, 0)).toBeLessThanOrEqual(5);
        for (const outcome of outcomes)
          if (outcome.status === 'rejected')
            expect(outcome.reason).toMatchObject({ code: 'quota_reached', status: 409 });
      }),
      { numRuns: 8 },
    );
  });

  it('is reported with its number and its setting, and does not affect other users', async () => {
    const owner = await identity().addAccount();
    const other = await identity().addUser(owner.accountId);
    for (let index = 0; index < 3; index += 1) await add(owner);
    await expect(add(owner)).rejects.toMatchObject({
      code: 'quota_reached',
      detail: { limit: 3 },
      message: expect.stringContaining('USER_MAX_API_KEYS') as unknown,
    });
    await add(other);
    await add(owner, later(61));
  });
});

describe('rows that count for a quota', () => {
  it('exclude revoked and expired keys (LIM-3)', async () => {
    const owner = await identity().addAccount();
    const add = (now = NOW) => identity().run((trx) => addOne.key(trx, owner, 1, now));
    const id = await add();
    await expect(add()).rejects.toThrow(/API keys/);
    await identity().run((trx) => revokeApiKey(trx, { accountId: owner.accountId, id, now: NOW }));
    await add();
    await expect(add(later(59))).rejects.toThrow(/API keys/);
    await add(later(61));
  });

  it('include deactivated users, and exclude system roles (LIM-4, LIM-5)', async () => {
    const owner = await identity().addAccount();
    const user = await identity().addUser(owner.accountId);
    await identity().query('update gateway.user_account set is_active = false where id = $1', [user.id]);
    await expect(identity().run((trx) => addOne.user(trx, owner, 2))).rejects.toThrow(/users/);
    await identity().run((trx) => addOne.role(trx, owner, 1));
  });
});
