import { newId } from '@steward/crypto';
import { findApiKey } from './read-api-keys.ts';
import { later, NOW, useIdentity } from '../../testing/open-identity.ts';
import { createApiKey, type CreateApiKeyOutcome } from './create-api-key.ts';
import { revokeApiKey } from '../store/api-key.store.ts';

const identity = useIdentity();
const bot = { type: 'managed_agent', id: 'bot-1', name: 'Bot' };

const requireRecord = (outcome: CreateApiKeyOutcome) => {
  if (outcome.kind !== 'created') throw new Error(outcome.kind);
  return outcome.record;
};

describe('a new API key (ACC-23)', () => {
  it('consists of stw_ and 32 random bytes, and is different each time', async () => {
    const owner = await identity().addAccount();
    const keys = [];
    for (let index = 0; index < 5; index += 1) keys.push((await identity().addKey(owner)).key);
    for (const key of keys) {
      expect(key).toMatch(/^stw_[\w-]{43}$/);
      expect(Buffer.from(key.slice(4), 'base64url')).toHaveLength(32);
    }
    expect(new Set(keys).size).toBe(5);
  });

  it('is not stored in the database, in any notation, except for its last four characters (API-16, API-17)', async () => {
    const owner = await identity().addAccount();
    const { key, id, record } = await identity().addKey(owner);
    expect(record.hint).toBe(key.slice(-4));
    const [row] = await identity().query<{ row: string }>(
      'select k::text as row from gateway.api_key k where id = $1',
      [id],
    );
    const secret = key.slice(4);
    const spellings = [
      ...[secret, Buffer.from(secret).toString('hex'), Buffer.from(secret, 'base64url').toString('hex')],
      ...[Buffer.from(key).toString('hex'), Buffer.from(key).toString('base64')],
    ];
    for (const spelling of spellings) expect(row?.row).not.toContain(spelling);
    expect(JSON.stringify(record)).not.toContain(secret);
    expect(Object.keys(record)).not.toContain('key_hash');
  });

  it('acts for its creator from the next request on', async () => {
    const owner = await identity().addAccount();
    const user = await identity().addUser(owner.accountId);
    const { key, id } = await identity().addKey(user);
    expect(await identity().authenticate(key)).toMatchObject({
      kind: 'api_key',
      accountId: owner.accountId,
      userId: user.id,
      username: user.username,
      apiKeyId: id,
      role: 'viewer',
    });
  });

  it('stores scopes as given, each only once, and distinguishes an empty list from no list (ACC-24)', async () => {
    const owner = await identity().addAccount();
    for (const [given, kept] of [
      [null, null],
      [[], []],
      [
        ['view_flows', 'view_agents', 'view_flows'],
        ['view_flows', 'view_agents'],
      ],
    ] as const) {
      const { id } = await identity().addKey(owner, { scopes: given });
      expect((await findApiKey(identity().db, owner, id))?.scopes).toEqual(kept);
    }
  });

  it('is not created for a deleted, unknown or deactivated user', async () => {
    const owner = await identity().addAccount();
    const user = await identity().addUser(owner.accountId);
    await identity().query('update gateway.user_account set is_active = false where id = $1', [user.id]);
    expect((await identity().tryKey(user)).kind).toBe('owner_gone');
    expect((await identity().tryKey({ id: newId(), accountId: owner.accountId })).kind).toBe('owner_gone');
  });

  it('is refused by the database if its agent binding is incomplete', async () => {
    const owner = await identity().addAccount();
    const half = { type: 'managed_agent', id: null as unknown as string, name: null };
    await expect(identity().tryKey(owner, { runtimePrincipal: half })).rejects.toThrow(/runtime_principal_check/);
  });
});

describe('a key created by a key (ACC-27)', () => {
  it('inherits expiry, agent binding and scopes, and records its ancestors', async () => {
    const owner = await identity().addAccount();
    const expiresAt = later(3600);
    const scopes = ['view_flows', 'manage_api_keys'];
    const parent = await identity().addKey(owner, { scopes, expiresAt, runtimePrincipal: bot });
    const child = await identity().addKey(owner, { parentId: parent.id, scopes: ['manage_api_keys'] });
    const grandchild = await identity().addKey(owner, { parentId: child.id });
    expect(child.record).toMatchObject({
      expires_at: expiresAt,
      ancestor_ids: [parent.id],
      runtime_principal_type: bot.type,
      runtime_principal_id: bot.id,
      runtime_principal_name: bot.name,
    });
    expect(grandchild.record).toMatchObject({
      scopes: [],
      expires_at: expiresAt,
      ancestor_ids: [parent.id, child.id],
    });
    expect((await identity().authenticate(grandchild.key))?.permissions).toEqual(new Set());
  });

  it('is refused if it exceeds its parent, and nothing is stored', async () => {
    const owner = await identity().addAccount();
    const parentExpiresAt = later(3600);
    const parent = await identity().addKey(owner, { scopes: [], expiresAt: parentExpiresAt, runtimePrincipal: bot });
    const parentId = parent.id;
    expect(await identity().tryKey(owner, { parentId, expiresAt: later(3601) })).toEqual({
      kind: 'outlives_parent',
      parentExpiresAt,
    });
    const other = { ...bot, id: 'bot-2' };
    expect(await identity().tryKey(owner, { parentId, runtimePrincipal: other })).toEqual({ kind: 'binding_differs' });
    const rows = await identity().query('select 1 from gateway.api_key where account_id = $1', [owner.accountId]);
    expect(rows).toHaveLength(1);
  });

  it('has at most eight ancestors', async () => {
    const owner = await identity().addAccount();
    const scopes = ['manage_api_keys'];
    let parentId = (await identity().addKey(owner, { scopes })).id;
    for (let generation = 1; generation <= 8; generation += 1) {
      const record = requireRecord(await identity().tryKey(owner, { parentId, scopes }));
      expect(record.ancestor_ids).toHaveLength(generation);
      parentId = record.id;
    }
    expect(await identity().tryKey(owner, { parentId, scopes })).toEqual({ kind: 'too_deep' });
  });

  it('cannot be created by a key that is revoked, unknown, or of another user or account', async () => {
    const owner = await identity().addAccount();
    const user = await identity().addUser(owner.accountId);
    const stranger = await identity().addAccount();
    const revoked = await identity().addKey(owner);
    await identity().run((trx) => revokeApiKey(trx, { accountId: owner.accountId, id: revoked.id, now: NOW }));
    const parents = [revoked.id, (await identity().addKey(user)).id, (await identity().addKey(stranger)).id, newId()];
    for (const parentId of parents) expect((await identity().tryKey(owner, { parentId })).kind).toBe('owner_gone');
  });

  it('is invalid if its parent was revoked during the creation', async () => {
    const owner = await identity().addAccount();
    const parent = await identity().addKey(owner, { scopes: ['view_flows', 'manage_api_keys'] });
    const { key } = await identity().run(async (trx) => {
      const input = { accountId: owner.accountId, userId: owner.id, name: 'late', parentId: parent.id };
      const made = await createApiKey(trx, { ...input, scopes: null, expiresAt: null, runtimePrincipal: null });
      // The revocation does not see the child key yet.
      await identity().run((other) => revokeApiKey(other, { accountId: owner.accountId, id: parent.id, now: NOW }));
      if (made.kind !== 'created') throw new Error(made.kind);
      return made;
    });
    expect(await identity().authenticate(key)).toBeUndefined();
  });
});
