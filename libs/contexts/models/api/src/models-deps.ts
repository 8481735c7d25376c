import type { Clock } from '@steward/async';
import { AppError } from '@steward/contracts';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import type { ProviderPools } from '@steward/egress';
import { listFlowsOfModel } from '@steward/flows';
import type { SaveModelOutcome } from '@steward/models';
import type { OpenRequests, SecretBoxes } from '@steward/api';
import type { AskedModels } from '@steward/model-calls';

/** Dependencies of the model routes. */
export interface ModelsDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly settings: { readonly modelInsecureOrigins: readonly string[] };
  readonly secretBoxes: Pick<SecretBoxes, 'model'>;
}

/** Dependencies of model calls. */
export type CallingDeps = ModelsDeps & {
  readonly pools: ProviderPools;
  readonly openRequests: Pick<OpenRequests, 'trials'>;
  readonly askedModels: Pick<AskedModels, 'calls'>;
};

/** Returns the error for a save that was refused. */
export function refuseSave(outcome: Exclude<SaveModelOutcome, { readonly kind: 'saved' }>): AppError {
  if (outcome.kind === 'in_use') return refuseInUse(outcome.aliases);
  const message = 'The account already has a model with this alias.';
  return new AppError('conflict', { message, detail: { field: 'alias' } });
}

/** Returns the error for a model that is in use. @param usedBy - aliases of models, or names of flows */
export function refuseInUse(usedBy: readonly string[]): AppError {
  const names = usedBy.slice(0, 20);
  return new AppError('model_in_use', {
    message: `The model is used by ${names.join(', ')}. Remove it there first.`,
    detail: { used_by: names },
  });
}

/**
 * Checks that no flow refers to a model, by alias or id. Called after the model was changed: saving a flow waits for
 * the lock on the model, so no flow can start to use the model unnoticed.
 * @throws model_in_use
 */
export async function requireUnused(
  trx: AnyTransaction,
  model: { readonly accountId: string; readonly names: readonly string[] },
): Promise<void> {
  const flows = await listFlowsOfModel(trx, model);
  if (flows.length > 0) throw refuseInUse(flows);
}
