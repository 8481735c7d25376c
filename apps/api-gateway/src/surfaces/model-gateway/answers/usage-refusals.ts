import type { ServedModel } from '@steward/models';
import { LRUCache } from 'lru-cache';

/**
 * Models whose provider refused the parameter that requests usage of a stream: otherwise each call would be sent twice.
 */
export interface UsageRefusals {
  has(model: RefusingModel): boolean;
  add(model: RefusingModel): void;
}

type RefusingModel = Pick<ServedModel, 'id' | 'baseUrl' | 'modelIdentifier'>;

/** Time after which the provider is asked again, since its server may have been updated. */
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

/** A model moved to another server counts as another. */
function nameModel({ id, baseUrl, modelIdentifier }: RefusingModel): string {
  return JSON.stringify([id, baseUrl, modelIdentifier]);
}
