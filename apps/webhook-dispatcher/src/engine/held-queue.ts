import type { ClaimedDelivery } from '@steward/webhooks';

/**
 * A claimed row that waits for a slot; after `usableUntil` (monotonic ms) its lease might expire during the attempt.
 */
export interface Held {
  readonly claim: ClaimedDelivery;
  readonly usableUntil: number;
}

/** Rows claimed in advance: first in, first out per endpoint, endpoints round-robin. */
export interface HeldQueue {
  readonly size: number;
  add(entry: Held): void;
  /**
   * Passes the oldest row of each endpoint to `start`, endpoint by endpoint, until no endpoint may start another one. A
   * freed slot requires one check per endpoint with rows in this queue, however many rows wait.
   */
  drain(canStart: (endpointId: string) => boolean, start: (entry: Held) => void): void;
  /** Removes and returns rows that have waited too long. */
  takeStale(now: number): Held[];
  takeEndpoint(endpointId: string): Held[];
  takeAll(): Held[];
}

export function createHeldQueue(): HeldQueue {
  /** Rows by endpoint, in the order of turns; only contains endpoints with rows. */
  const queues = new Map<string, Held[]>();
  let size = 0;

  function takeEndpoint(endpointId: string): Held[] {
    const entries = queues.get(endpointId) ?? [];
    queues.delete(endpointId);
    size -= entries.length;
    return entries;
  }

  return {
    get size() {
      return size;
    },
    add(entry) {
      size += 1;
      const { endpointId } = entry.claim;
      const queue = queues.get(endpointId);
      if (queue === undefined) queues.set(endpointId, [entry]);
      else queue.push(entry);
    },
    drain(canStart, start) {
      // After a row of an endpoint was started, the endpoint moves to the end of the map, where this same iteration
      // reaches the endpoint again.
      for (const [endpointId, queue] of queues) {
        if (!canStart(endpointId)) continue;
        queues.delete(endpointId);
        const entry = queue.shift();
        if (queue.length > 0) queues.set(endpointId, queue);
        if (entry === undefined) continue;
        size -= 1;
        start(entry);
      }
    },
    takeStale(now) {
      const stale: Held[] = [];
      for (const [endpointId, queue] of queues) {
        const fresh = queue.findIndex((entry) => entry.usableUntil >= now);
        stale.push(...queue.splice(0, fresh < 0 ? queue.length : fresh));
        if (queue.length === 0) queues.delete(endpointId);
      }
      size -= stale.length;
      return stale;
    },
    takeEndpoint,
    takeAll: () => [...queues.keys()].flatMap(takeEndpoint),
  };
}
