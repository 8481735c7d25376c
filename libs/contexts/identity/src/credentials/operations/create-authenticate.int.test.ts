import fc from 'fast-check';
import { EDITIONS, existsInEdition, KEY_ONLY_PERMISSIONS, PERMISSIONS } from '@steward/contracts';
import { newId } from '@steward/crypto';
import { DAY, later, MINUTE, NOW, signer, useIdentity } from '../../testing/open-identity.ts';

const identity = useIdentity();

describe('the permission set of a key (ACC-24)', () => {
  it('is that of its owner, restricted by its scopes, for any scopes, role and edition', async () => {
    const owner = await identity().addAccount();
    const user = await identity().addUser(owner.accountId);
    const { key, id } = await identity().addKey(user);
    const roleId = newId();
    await identity().query(
      `insert into gateway.role (id, account_id, name, permissions) values ($1, $2, 'varied', '{}')`,
      [roleId, owner.accountId],
    );
    await identity().query('update gateway.user_account set role_id = $2 where id = $1', [user.id, roleId]);
    const subset = fc.subarray([...PERMISSIONS]);
    const choice = fc.tuple(subset, fc.option(subset), fc.constantFrom(...EDITIONS));
    await fc.assert(
      fc.asyncProperty(choice, async ([granted, scopes, edition]) => {
        await identity().query('update gateway.role set permissions = $2 where id = $1', [
          roleId,
          granted.filter((one) => !KEY_ONLY_PERMISSIONS.includes(one)),
        ]);
        await identity().query('update gateway.api_key set scopes = $2 where id = $1', [id, scopes]);
        const owned = granted.filter((one) => !KEY_ONLY_PERMISSIONS.includes(one) && existsInEdition(one, edition));
        const expected =
          scopes === null ? owned : [...owned, ...KEY_ONLY_PERMISSIONS].filter((one) => scopes.includes(one));
        const principal = await identity().authenticate(key, NOW, edition);
        expect([...(principal?.permissions ?? [])].sort()).toEqual([...expected].sort());
      }),
      { numRuns: 40 },
    );
  });

  it('is empty for an empty list of scopes, and the key is still valid', async () => {
    const owner = await identity().addAccount();
    const { key } = await identity().addKey(owner, { scopes: [] });
    expect((await identity().authenticate(key))?.permissions).toEqual(new Set());
  });

  it('without a list of scopes never includes creating keys, and with a list only if it contains that scope (ACC-26)', async () => {
    const owner = await identity().addAccount();
    for (const [scopes, may] of [
      [null, false],
      [['view_flows'], false],
      [['manage_api_keys'], true],
    ] as const) {
      const { key } = await identity().addKey(owner, { scopes });
      expect((await identity().authenticate(key))?.permissions.has('manage_api_keys')).toBe(may);
    }
  });
});

describe('a valid key', () => {
  it('is accepted before its expiry and refused from then on (ACC-25)', async () => {
    const owner = await identity().addAccount();
    const { key } = await identity().addKey(owner, { expiresAt: later(MINUTE) });
    expect(await identity().authenticate(key, later(MINUTE - 0.001))).toBeDefined();
    for (const at of [later(MINUTE), later(MINUTE + 0.001), later(365 * DAY)])
      expect(await identity().authenticate(key, at)).toBeUndefined();
  });

  it('acts as the agent to which it is bound, with or without a name for it (ACC-25)', async () => {
    const owner = await identity().addAccount();
    const bind = async (name: string | null) => {
      const { key } = await identity().addKey(owner, { runtimePrincipal: { type: 'managed_agent', id: 'bot', name } });
      return (await identity().authenticate(key))?.runtimePrincipal;
    };
    expect(await bind('Bot')).toEqual({ type: 'managed_agent', id: 'bot', name: 'Bot' });
    expect(await bind(null)).toEqual({ type: 'managed_agent', id: 'bot', name: undefined });
    const free = await identity().addKey(owner);
    expect((await identity().authenticate(free.key))?.runtimePrincipal).toBeUndefined();
  });

  it('records when it was last used, to the minute (ACC-29)', async () => {
    const owner = await identity().addAccount();
    const { key, id } = await identity().addKey(owner);
    const use = async (at: Date) => {
      await identity().authenticate(key, at);
      const [row] = await identity().query<{ last_used_at: Date | null }>(
        'select last_used_at from gateway.api_key where id = $1',
        [id],
      );
      return row?.last_used_at;
    };
    expect(await use(NOW)).toEqual(NOW);
    expect(await use(later(59))).toEqual(NOW);
    expect(await use(later(61))).toEqual(later(61));
    // A process with a slow clock does not set the time back.
    expect(await use(later(30))).toEqual(later(61));
  });

  it('does not record failed uses', async () => {
    const owner = await identity().addAccount();
    const { key, id } = await identity().addKey(owner, { expiresAt: later(-1) });
    await identity().authenticate(key);
    const rows = await identity().query('select last_used_at from gateway.api_key where id = $1', [id]);
    expect(rows).toEqual([{ last_used_at: null }]);
  });
});

describe('an invalid credential (API-4)', () => {
  it.each<[string, (key: string) => string]>([
    ['with its last character changed', (key) => key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A')],
    ['with its first character changed', (key) => `stw_${key[4] === 'A' ? 'B' : 'A'}${key.slice(5)}`],
    ['that is truncated', (key) => key.slice(0, -1)],
    ['with additional characters', (key) => `${key}=`],
    ['with a leading space', (key) => ` ${key}`],
    ['in upper case', (key) => key.toUpperCase()],
    ['without its prefix', (key) => key.slice(4)],
    ['with the prefix of a run', (key) => `stw_run_${key.slice(4)}`],
    ['with the prefix of a refresh token', (key) => `stw_rt_${key.slice(4)}`],
  ])('is refused: a key %s', async (_case, change) => {
    const owner = await identity().addAccount();
    const { key } = await identity().addKey(owner);
    expect(await identity().authenticate(change(key))).toBeUndefined();
  });

  it('is refused for any string, and never causes an error', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string().map((tail) => `stw_${tail}`),
      fc.string().map((tail) => `stw_run_${tail}`),
      fc.tuple(fc.base64String(), fc.base64String(), fc.base64String()).map((parts) => parts.join('.')),
    );
    await fc.assert(
      fc.asyncProperty(text, async (credential) => {
        expect(await identity().authenticate(credential)).toBeUndefined();
      }),
      { numRuns: 60 },
    );
    for (const huge of ['x'.repeat(1_000_000), `stw_${'x'.repeat(1_000_000)}`])
      expect(await identity().authenticate(huge)).toBeUndefined();
  });

  it('is refused if it is a hash from the database', async () => {
    const owner = await identity().addAccount();
    const { id } = await identity().addKey(owner);
    const [row] = await identity().query<{ key_hash: Buffer }>('select key_hash from gateway.api_key where id = $1', [
      id,
    ]);
    for (const encoding of ['hex', 'base64url', 'latin1'] as const)
      expect(await identity().authenticate(`stw_${row?.key_hash.toString(encoding)}`)).toBeUndefined();
  });
});

describe('an access token', () => {
  it('acts as its user while its login is active (ACC-9)', async () => {
    const owner = await identity().addAccount();
    const { accessToken } = await identity().logIn(owner);
    expect(await identity().authenticate(accessToken, later(60 * MINUTE - 1))).toMatchObject({
      kind: 'user',
      accountId: owner.accountId,
      userId: owner.id,
      apiKeyId: undefined,
      role: 'owner',
      runtimePrincipal: undefined,
    });
    expect(await identity().authenticate(accessToken, later(60 * MINUTE + 1))).toBeUndefined();
  });

  it.each<[string, (claims: Claims, other: Claims) => Claims]>([
    ['its login does not exist', (claims) => ({ ...claims, loginId: newId() })],
    ['its login belongs to another user', (claims, other) => ({ ...claims, loginId: other.loginId })],
    ['it names another user with this login', (claims, other) => ({ ...claims, userId: other.userId })],
    ['it is of an earlier generation', (claims) => ({ ...claims, generation: claims.generation - 1 })],
    ['it is of a later generation', (claims) => ({ ...claims, generation: claims.generation + 1 })],
  ])('is refused if %s, although it is signed', async (_case, change) => {
    const claims = await start();
    const forged = await signer.sign(change(claims, await start()), NOW);
    expect(await identity().authenticate(forged)).toBeUndefined();
    expect(await identity().authenticate(await signer.sign(claims, NOW))).toBeDefined();
  });

  it('belongs to the account of the user in the database, whatever the token claims', async () => {
    const [claims, other] = [await start(), await start()];
    const forged = await signer.sign({ ...claims, accountId: other.accountId }, NOW);
    expect(await identity().authenticate(forged)).toMatchObject({ accountId: claims.accountId });
  });
});

type Claims = Awaited<ReturnType<typeof start>>;

async function start() {
  const owner = await identity().addAccount();
  await identity().logIn(owner);
  const [row] = await identity().query<{ id: string }>('select id from gateway.login where user_id = $1', [owner.id]);
  return { userId: owner.id, accountId: owner.accountId, generation: 0, loginId: row?.id ?? '' };
}
