import { AppError, mayCallModel, type KeyLimits } from '@steward/contracts';

/**
 * Checks that the limits of an API key allow the model.
 * @throws model_not_allowed
 */
export function requireAllowed(limits: readonly KeyLimits[] | undefined, alias: string): void {
  if (mayCallModel(limits, alias)) return;
  const message = `The limits of this API key do not include the model "${alias}".`;
  throw new AppError('model_not_allowed', { message, detail: { model: alias, limit: 'models' } });
}
