import type { SecretBox } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import type { EmbeddingPatch, EmbeddingSetting } from '../embedding-setting.ts';
import { decideSetting, type SettingRefusal } from '../rules/decide-setting.ts';
import { REFUSALS_OF_PROVIDER } from '../rules/work-delay.ts';
import { renewWork } from '../store/embedding-work.store.ts';
import { lockEmbeddingSetting, updateEmbeddingSetting } from '../store/embedding-setting.store.ts';

export interface SaveSettingInput {
  readonly accountId: string;
  readonly patch: EmbeddingPatch;
  /** Origins for which http is allowed, in the format that `readOrigin` returns. */
  readonly insecureOrigins: readonly string[];
  readonly now: Date;
}

export type SaveSettingOutcome = { readonly kind: 'saved'; readonly setting: EmbeddingSetting } | SettingRefusal;

/**
 * Saves the fields that were sent, either all of them or none, and leaves the rest unchanged (EMB-2), except that a
 * change of the provider, or of the origin of the endpoint, deletes the stored API key.
 */
export async function saveEmbeddingSetting(
  trx: AnyTransaction,
  { accountId, patch, insecureOrigins, now }: SaveSettingInput,
  box: SecretBox,
): Promise<SaveSettingOutcome> {
  // The account's work is locked first, in the common lock order; the account becomes due with the commit.
  await renewWork(trx, { accountId, mostFailures: REFUSALS_OF_PROVIDER });
  const stored = await lockEmbeddingSetting(trx, { accountId, now });
  const decision = decideSetting(stored, patch, insecureOrigins);
  if (decision.kind === 'refused') return decision;
  const { setting } = decision;
  const apiKeySealed =
    patch.apiKey === undefined || patch.apiKey === '' ? undefined : box.seal(patch.apiKey, accountId);
  const isEnabledNow = setting.isEnabled && !stored.isEnabled;
  await updateEmbeddingSetting(trx, { accountId, setting, apiKeySealed, isEnabledNow, now });
  return { kind: 'saved', setting };
}
