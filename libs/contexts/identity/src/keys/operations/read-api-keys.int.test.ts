import { newId } from '@steward/crypto';
import { later, NOW, useIdentity } from '../../testing/open-identity.ts';
import { revokeApiKey, type KeyReach } from '../store/api-key.store.ts';
import { findApiKey, listApiKeys } from './read-api-keys.ts';

const identity = useIdentity();

const list = async (reach: KeyReach, page: { beforeId?: string; limit?: number } = {}) =>
  (await listApiKeys(identity().db, { beforeId: undefined, limit: 200, ...page, ...reach })).map(({ id }) => id);
const revoke = (accountId: string, id: string) =>
  identity().run((trx) => revokeApiKey(trx, { accountId, id, now: NOW }));

/** Adds two users of an account, each with a key, a child and a grandchild key, and a stranger with a key. */
async function addFamilies() {
  const owner = await identity().addAccount();
  const user = await identity().addUser(owner.accountId);
  const stranger = await identity().addAccount();
  const scopes = ['manage_api_keys'];
  const family = async (of: typeof owner) => {
    const first = await identity().addKey(of, { scopes });
    const second = await identity().addKey(of, { scopes, parentId: first.id });
    const third = await identity().addKey(of, { scopes, parentId: second.id });
    return [first, second, third] as const;
  };
  return {
    owner,
    user,
    stranger,
    ofOwner: await family(owner),
    ofUser: await family(user),
    foreign: await family(stranger),
  };
}

describe('the visibility of keys (ACC-28)', () => {
  it('includes a user’s own keys, and with manage_users all keys of the account, newest first', async () => {
    const { owner, user, ofOwner, ofUser } = await addFamilies();
    const { accountId } = owner;
    const ids = (...keys: readonly { id: string }[]) => keys.map(({ id }) => id).reverse();
    expect(await list({ accountId, userId: user.id })).toEqual(ids(...ofUser));
    expect(await list({ accountId })).toEqual(ids(...ofOwner, ...ofUser));
    expect(await list({ accountId: newId() })).toEqual([]);
  });

  it('includes, for a key, the key itself and its descendants, but no siblings or ancestors', async () => {
    const { owner, ofOwner } = await addFamilies();
    const [first, second, third] = ofOwner;
    const seenBy = (belowKeyId: string) => list({ accountId: owner.accountId, userId: owner.id, belowKeyId });
    expect(await seenBy(first.id)).toEqual([third.id, second.id, first.id]);
    expect(await seenBy(second.id)).toEqual([third.id, second.id]);
    expect(await seenBy(third.id)).toEqual([third.id]);
    expect(await seenBy(newId())).toEqual([]);
  });

  it('is the same when a single key is read: keys missing from the list are not found', async () => {
    const { owner, user, ofOwner, ofUser, foreign } = await addFamilies();
    const { accountId } = owner;
    const reaches: KeyReach[] = [
      { accountId },
      { accountId, userId: user.id },
      { accountId, userId: owner.id, belowKeyId: ofOwner[1].id },
      // This reach uses another user's key as if it were the caller's.
      { accountId, userId: user.id, belowKeyId: ofOwner[0].id },
    ];
    for (const reach of reaches) {
      const shown = await list(reach);
      for (const { id } of [...ofOwner, ...ofUser, ...foreign])
        expect([id, (await findApiKey(identity().db, reach, id)) !== undefined]).toEqual([id, shown.includes(id)]);
    }
  });

  it('includes expired keys, but not revoked ones', async () => {
    const owner = await identity().addAccount();
    const expired = await identity().addKey(owner, { expiresAt: later(-60) });
    const revoked = await identity().addKey(owner);
    await revoke(owner.accountId, revoked.id);
    expect(await list({ accountId: owner.accountId })).toEqual([expired.id]);
  });

  it('includes each key once across all pages while keys are added and removed (API-11)', async () => {
    const owner = await identity().addAccount();
    const { accountId } = owner;
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) ids.unshift((await identity().addKey(owner)).id);
    const first = await list({ accountId }, { limit: 3 });
    expect(first).toEqual(ids.slice(0, 4));
    await identity().addKey(owner);
    await revoke(accountId, ids[1] ?? '');
    expect(await list({ accountId }, { beforeId: first[2] ?? '', limit: 3 })).toEqual(ids.slice(3));
    expect(await list({ accountId }, { beforeId: ids.at(-1) ?? '' })).toEqual([]);
  });

  it('includes no hash of any key', async () => {
    const owner = await identity().addAccount();
    const { id } = await identity().addKey(owner);
    const answers = [
      await findApiKey(identity().db, owner, id),
      ...(await listApiKeys(identity().db, { accountId: owner.accountId, beforeId: undefined, limit: 5 })),
    ];
    for (const answer of answers) expect(Object.keys(answer ?? {})).not.toContain('key_hash');
  });
});

describe('revoking a key (ACC-28)', () => {
  it('takes effect with the next request, for the key and its descendants, but for no other key (ACC-27)', async () => {
    const { owner, ofOwner, ofUser, foreign } = await addFamilies();
    const [first, second, third] = ofOwner;
    expect(await revoke(owner.accountId, second.id)).toBe(2);
    for (const dead of [second, third]) expect(await identity().authenticate(dead.key)).toBeUndefined();
    for (const alive of [first, ...ofUser, ...foreign]) expect(await identity().authenticate(alive.key)).toBeDefined();
  });

  it('has no effect if it is repeated, or if the key is unknown or belongs to another account', async () => {
    const { owner, stranger, ofOwner } = await addFamilies();
    const [first] = ofOwner;
    expect(await revoke(stranger.accountId, first.id)).toBe(0);
    expect(await identity().authenticate(first.key)).toBeDefined();
    expect(await revoke(owner.accountId, first.id)).toBe(3);
    expect(await revoke(owner.accountId, first.id)).toBe(0);
    expect(await revoke(owner.accountId, newId())).toBe(0);
  });

  it('counts each key once under simultaneous requests', async () => {
    const { owner, ofOwner } = await addFamilies();
    const counts = await Promise.all(Array.from({ length: 6 }, () => revoke(owner.accountId, ofOwner[0].id)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
  });

  it('does not change earlier revocations: the first revocation time is retained', async () => {
    const owner = await identity().addAccount();
    const { id } = await identity().addKey(owner);
    await revoke(owner.accountId, id);
    await identity().run((trx) => revokeApiKey(trx, { accountId: owner.accountId, id, now: later(99) }));
    const rows = await identity().query('select revoked_at from gateway.api_key where id = $1', [id]);
    expect(rows).toEqual([{ revoked_at: NOW }]);
  });

  it('is rolled back with its transaction', async () => {
    const owner = await identity().addAccount();
    const { key, id } = await identity().addKey(owner);
    const failing = identity().run(async (trx) => {
      await revokeApiKey(trx, { accountId: owner.accountId, id, now: NOW });
      throw new Error('fault after the revocation');
    });
    await expect(failing).rejects.toThrow('fault after the revocation');
    expect(await identity().authenticate(key)).toBeDefined();
  });
});
