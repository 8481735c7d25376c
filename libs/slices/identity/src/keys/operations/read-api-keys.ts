import type { AnyDatabase, IdPage } from '@steward/database';
import { withoutHash, type ApiKey } from '../rules/api-key.ts';
import { findKey, listKeys, type KeyReach } from '../store/api-key.store.ts';

/** Keys within reach that are not revoked, newest first, one more than `limit` when there is a further page. */
export async function listApiKeys(db: AnyDatabase, filter: KeyReach & IdPage): Promise<ApiKey[]> {
  return (await listKeys(db, filter)).map(withoutHash);
}

/** A key within reach that is not revoked. */
export async function findApiKey(db: AnyDatabase, reach: KeyReach, keyId: string): Promise<ApiKey | undefined> {
  const row = await findKey(db, reach, keyId);
  return row === undefined ? undefined : withoutHash(row);
}
