import type { AnyTransaction } from '@steward/database';
import {
  deleteAiModel as remove,
  findAiModel,
  listDependents,
  lockAiModels,
  type AiModelKey,
} from '../store/ai-model.store.ts';
import type { AiModel } from '../ai-model.ts';

export type DeleteModelOutcome =
  | { readonly kind: 'deleted'; readonly model: AiModel }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'in_use'; readonly aliases: readonly string[] };

/**
 * Deletes a model, unless other models use it as a fallback (MOD-9). The usage of the model is retained in any case,
 * since usage rows contain the alias.
 */
export async function deleteAiModel(trx: AnyTransaction, key: AiModelKey): Promise<DeleteModelOutcome> {
  await lockAiModels(trx, key.accountId);
  const model = await findAiModel(trx, key);
  if (model === undefined) return { kind: 'not_found' };
  const aliases = await listDependents(trx, key);
  if (aliases.length > 0) return { kind: 'in_use', aliases };
  await remove(trx, key);
  return { kind: 'deleted', model };
}
