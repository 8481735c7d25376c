import type { ServedModel } from '@steward/models';
import { LRUCache } from 'lru-cache';

/**
 * Models whose provider rejected the parameter that requests the usage of a stream: without this list, each of their
 * calls would be sent twice.
 */
export interface UsageRefusals {
  has(model: RefusingModel): boolean;
  add(model: RefusingModel): void;
}

type RefusingModel = Pick<ServedModel, 'id' | 'baseUrl' | 'modelIdentifier'>;

/** Time after which the usage is requested again, since the provider's server may have been updated. */
const KEPT_MS = 3_600_000;
const MAX_KEPT = 10_000;

/** @param now - milliseconds of a monotonic clock */
export function createUsageRefusals(now: () => number = () => performance.now()): UsageRefusals {
  const known = new LRUCache<string, true>({ max: MAX_KEPT, ttl: KEPT_MS, ttlResolution: 0, perf: { now } });
  return {
    has: (model) => known.has(nameModel(model)),
    add: (model) => void known.set(nameModel(model), true),
  };
}

/** Returns the cache key of a model; a model that was moved to another server counts as a different one. */
function nameModel({ id, baseUrl, modelIdentifier }: RefusingModel): string {
  return JSON.stringify([id, baseUrl, modelIdentifier]);
}
