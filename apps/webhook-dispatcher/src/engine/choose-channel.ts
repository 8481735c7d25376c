import type { Channel } from './channel.ts';

/** One channel of several: each delivery goes over the one for its endpoint's kind of address. */
export function chooseChannel(choose: (url: string) => Channel, all: readonly Channel[]): Channel {
  return {
    attempt: (claim) => choose(claim.url).attempt(claim),
    async close() {
      await Promise.all(all.map((channel) => channel.close()));
    },
  };
}
