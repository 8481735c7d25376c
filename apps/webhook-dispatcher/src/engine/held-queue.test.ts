import type { ClaimedDelivery } from '@steward/webhooks';
import { createHeldQueue, type Held } from './held-queue.ts';

function hold(endpointId: string, id: string, usableUntil = 100): Held {
  return { claim: { id, endpointId } as ClaimedDelivery, usableUntil };
}
const ids = (entries: readonly Held[]): string[] => entries.map((entry) => entry.claim.id);

describe('rows claimed in advance', () => {
  it('start round-robin by endpoint, each with its oldest first, and those that may not start keep their position', () => {
    const queue = createHeldQueue();
    for (const id of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(hold(id[0]!, id));
    const started: Held[] = [];
    let free = 4;
    queue.drain(
      (endpointId) => endpointId !== 'b' && free > 0,
      (entry) => {
        free -= 1;
        started.push(entry);
      },
    );
    expect(ids(started)).toEqual(['a1', 'c1', 'a2', 'c2']);
    expect(queue.size).toBe(2);
    expect(ids(queue.takeAll()).sort()).toEqual(['a3', 'b1']);
    expect(queue.size).toBe(0);
  });

  it('are removed if their lease could end during the request, or all together for an endpoint', () => {
    const queue = createHeldQueue();
    queue.add(hold('a', 'a1', 10));
    queue.add(hold('a', 'a2', 30));
    queue.add(hold('b', 'b1', 20));
    queue.add(hold('b', 'b2', 40));
    expect(ids(queue.takeStale(25)).sort()).toEqual(['a1', 'b1']);
    expect(ids(queue.takeEndpoint('b'))).toEqual(['b2']);
    expect(queue.takeEndpoint('b')).toEqual([]);
    expect(queue.size).toBe(1);
  });
});
