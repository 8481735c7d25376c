import type { Clock } from '@steward/async';
import { AppError, mayCallModel, type Principal } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import {
  createFindModelForCall,
  familyOf,
  type ModelFamily,
  type ModelForCall,
  type ServedModel,
} from '@steward/models';
import { requireAllowed } from '@steward/model-calls';
import type { SecretBoxes } from '@steward/api';

export interface FindChainDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly secretBoxes: Pick<SecretBoxes, 'model'>;
}

export interface AskedModel {
  readonly principal: Pick<Principal, 'accountId' | 'keyLimits' | 'revisions'>;
  readonly name: string;
  readonly family: ModelFamily;
}

/**
 * Finds the model that a name refers to, and its fallbacks. @throws model_not_found, wrong_provider, model_not_allowed
 */
export type FindChain = (asked: AskedModel) => Promise<readonly [ServedModel, ...ServedModel[]]>;

export function createFindChain({ db, clock, secretBoxes }: FindChainDeps): FindChain {
  const find = createFindModelForCall({ db, box: secretBoxes.model });
  return async ({ principal, name, family }) => {
    const { accountId, keyLimits, revisions } = principal;
    const found = await find({ accountId, name, family, now: clock.now(), revision: revisions?.models });
    const [model, ...fallbacks] = readChain(found);
    requireAllowed(keyLimits, model.alias);
    return [model, ...fallbacks.filter(({ alias }) => mayCallModel(keyLimits, alias))];
  };
}

function readChain(found: ModelForCall): readonly [ServedModel, ...ServedModel[]] {
  switch (found.kind) {
    case 'found':
      return found.chain;
    case 'not_found':
      throw new AppError('model_not_found');
    case 'disabled':
      throw new AppError('model_not_found', { message: 'The model is disabled.' });
    case 'ambiguous': {
      const message = `Several models have this identifier. Send the alias of one of them: ${found.aliases.join(', ')}.`;
      throw new AppError('model_not_found', { message });
    }
    case 'other_provider': {
      const message = `The model belongs to the provider "${found.provider}". Call it under /${familyOf(found.provider)}/v1.`;
      throw new AppError('wrong_provider', { message });
    }
  }
}
