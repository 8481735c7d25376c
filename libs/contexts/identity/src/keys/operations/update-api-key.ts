import type { ModelLimits } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { withoutHash, type ApiKey } from '../rules/api-key.ts';
import { updateKey, type KeyReach } from '../store/api-key.store.ts';

export interface ApiKeyPatch {
  readonly name?: string | undefined;
  /** Null removes the limits. */
  readonly modelLimits?: ModelLimits | null | undefined;
}

/** Fields that are missing are not changed; returns undefined if no such key is visible. */
export async function updateApiKey(
  trx: AnyTransaction,
  reach: KeyReach,
  id: string,
  patch: ApiKeyPatch,
): Promise<ApiKey | undefined> {
  const row = await updateKey(trx, reach, id, patch);
  return row === undefined ? undefined : withoutHash(row);
}
