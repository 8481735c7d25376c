import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SecretBox } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { findContentKey, insertContentKey } from './store/content-key.store.ts';

/** Keys with which the objects of accounts are sealed. */
export interface AccountKeys {
  /** Returns the key of an account; undefined if the account has no key, or a key that cannot be decrypted. */
  find(db: AnyDatabase, accountId: string): Promise<Buffer | undefined>;
  /**
   * Returns the key of an account; creates a key if the account has none. @throws if the account's key cannot be
   * decrypted
   */
  ensure(db: AnyDatabase, accountId: string): Promise<Buffer>;
}

const KEY_BYTES = 32;
const MOST_KEYS = 1000;

/**
 * Creates the store of account keys. It decrypts the keys with the key of the deployment and keeps them in memory,
 * since account keys never change.
 */
export function createAccountKeys(
  box: Pick<SecretBox, 'seal' | 'open'>,
  onUnusable: (accountId: string, error: unknown) => void,
): AccountKeys {
  const known = new LRUCache<string, Buffer>({ max: MOST_KEYS });

  async function find(db: AnyDatabase, accountId: string): Promise<Buffer | undefined> {
    const cached = known.get(accountId);
    if (cached !== undefined) return cached;
    const sealed = await findContentKey(db, accountId);
    if (sealed === undefined) return undefined;
    try {
      const key = Buffer.from(box.open(sealed, accountId), 'base64');
      known.set(accountId, key);
      return key;
    } catch (error) {
      onUnusable(accountId, error);
      return undefined;
    }
  }

  return {
    find,
    async ensure(db, accountId) {
      const existing = await find(db, accountId);
      if (existing !== undefined) return existing;
      await insertContentKey(db, accountId, box.seal(randomBytes(KEY_BYTES).toString('base64'), accountId));
      // Another process may have stored its key first.
      const stored = await find(db, accountId);
      if (stored === undefined) throw new Error('the key of the account cannot be opened');
      return stored;
    },
  };
}
