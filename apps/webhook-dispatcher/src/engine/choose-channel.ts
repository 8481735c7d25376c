import type { ClaimedDelivery } from '@steward/webhooks';
import type { Channel } from './channel.ts';

/** Combines several channels into one: each delivery uses the channel for the kind of its endpoint. */
export function chooseChannel(choose: (claim: ClaimedDelivery) => Channel, all: readonly Channel[]): Channel {
  return {
    attempt: (claim, startedAt) => choose(claim).attempt(claim, startedAt),
    async close() {
      await Promise.all(all.map((channel) => channel.close()));
    },
  };
}
