import { isDeepStrictEqual } from 'node:util';
import { mayCallModel } from '@steward/contracts';
import type { ServedModel } from '@steward/models';
import { LRUCache } from 'lru-cache';
import type { CallRecord, HeldModel } from './booking/call-record.ts';
import type { AskedModel, FindChain } from './find-chain.ts';

/**
 * Finds the models of a call and reserves its maximum cost. @throws model_not_found, wrong_provider, model_not_allowed,
 * key_limit_reached, budget_exceeded, unpriced_model
 */
export type HoldChain = (
  asked: AskedModel,
  record: Pick<CallRecord, 'hold' | 'forgetModel'>,
) => Promise<readonly [ServedModel, ...ServedModel[]]>;

const MAX_KNOWN = 10_000;

/**
 * A call with a name that was used before reserves the model's last known cost during the look-up. The result counts:
 * if the model or its cost differs, the call makes a new reservation that replaces the first one.
 */
export function createHoldChain(findChain: FindChain): HoldChain {
  const known = new LRUCache<string, HeldModel>({ max: MAX_KNOWN });
  return async (asked, record) => {
    const name = JSON.stringify([asked.accountId, asked.family, asked.name]);
    const before = known.get(name);
    if (before === undefined || !mayCallModel(asked.keyLimits, before.alias)) {
      const chain = await findChain(asked);
      known.set(name, describeHeld(chain[0]));
      await record.hold(chain[0]);
      return chain;
    }
    const [found, held] = await Promise.allSettled([findChain(asked), record.hold(before)]);
    if (found.status === 'rejected') {
      known.delete(name);
      record.forgetModel();
      throw found.reason;
    }
    const now = describeHeld(found.value[0]);
    if (!isDeepStrictEqual(now, before)) {
      known.set(name, now);
      await record.hold(now);
    } else if (held.status === 'rejected') throw held.reason;
    return found.value;
  };
}

/** Without its key. */
function describeHeld({ id, alias, provider, price, maxOutputTokens }: ServedModel): HeldModel {
  return { id, alias, provider, price, maxOutputTokens };
}
