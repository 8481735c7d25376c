import type { AnyDatabase, IdPage } from '@steward/database';
import { withoutHash, type ApiKey } from '../rules/api-key.ts';
import { findKey, listKeys, type KeyReach } from '../store/api-key.store.ts';

/** Returns visible keys that are not revoked, newest first; one more than `limit` if there is another page. */
export async function listApiKeys(db: AnyDatabase, filter: KeyReach & IdPage): Promise<ApiKey[]> {
  return (await listKeys(db, filter)).map(withoutHash);
}

/** Returns a visible key that is not revoked; undefined if there is none with this id. */
export async function findApiKey(db: AnyDatabase, reach: KeyReach, keyId: string): Promise<ApiKey | undefined> {
  const row = await findKey(db, reach, keyId);
  return row === undefined ? undefined : withoutHash(row);
}
