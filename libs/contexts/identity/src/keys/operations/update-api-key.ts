import type { ModelLimits } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { withoutHash, type ApiKey } from '../rules/api-key.ts';
import { updateKey, type KeyReach } from '../store/api-key.store.ts';

export interface ApiKeyPatch {
  readonly name?: string | undefined;
  /** New limits; null removes them. */
  readonly modelLimits?: ModelLimits | null | undefined;
}

/** Updates a key; missing fields are not changed. Returns undefined if no such key is visible. */
export async function updateApiKey(
  trx: AnyTransaction,
  reach: KeyReach,
  id: string,
  patch: ApiKeyPatch,
): Promise<ApiKey | undefined> {
  const row = await updateKey(trx, reach, id, patch);
  return row === undefined ? undefined : withoutHash(row);
}
