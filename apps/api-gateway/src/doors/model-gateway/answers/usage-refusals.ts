import type { ServedModel } from '@steward/slice-models';
import { LRUCache } from 'lru-cache';

/** Models whose provider refused to be asked for the usage of a stream: each call would be sent twice. */
export interface UsageRefusals {
  has(model: RefusingModel): boolean;
  add(model: RefusingModel): void;
}

type RefusingModel = Pick<ServedModel, 'id' | 'baseUrl' | 'modelIdentifier'>;

/** A server that was renewed since is asked again. */
const KEPT_MS = 3_600_000;
const MAX_KEPT = 10_000;

/** @param now - milliseconds of a clock that never goes back */
export function createUsageRefusals(now: () => number = () => performance.now()): UsageRefusals {
  const known = new LRUCache<string, true>({ max: MAX_KEPT, ttl: KEPT_MS, ttlResolution: 0, perf: { now } });
  return {
    has: (model) => known.has(nameModel(model)),
    add: (model) => void known.set(nameModel(model), true),
  };
}

/** What was moved to another server is another. */
function nameModel({ id, baseUrl, modelIdentifier }: RefusingModel): string {
  return JSON.stringify([id, baseUrl, modelIdentifier]);
}
