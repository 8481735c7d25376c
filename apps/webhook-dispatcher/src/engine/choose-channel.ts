import type { StoredAddress } from '@steward/crypto';
import type { Channel } from './channel.ts';

/** Combines several channels into one: each delivery uses the channel for the type of its endpoint's address. */
export function chooseChannel(choose: (address: StoredAddress) => Channel, all: readonly Channel[]): Channel {
  return {
    attempt: (claim, startedAt) => choose(claim.address).attempt(claim, startedAt),
    async close() {
      await Promise.all(all.map((channel) => channel.close()));
    },
  };
}
