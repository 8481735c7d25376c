import { AppError } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { holdAiModel } from '@steward/models';

/**
 * Checks that a flow's model, named by alias or id, belongs to the account; the model is locked until the flow is saved
 * (FLOW-45).
 * @throws invalid_request
 */
export async function requireAiModel(
  trx: AnyTransaction,
  { accountId, name }: { readonly accountId: string; readonly name: string | null | undefined },
): Promise<void> {
  if (name === null || name === undefined || (await holdAiModel(trx, { accountId, name }))) return;
  throw new AppError('invalid_request', {
    message: '"ai_model_id" is not the id or alias of an AI model of the account.',
    detail: { field: 'ai_model_id' },
  });
}
