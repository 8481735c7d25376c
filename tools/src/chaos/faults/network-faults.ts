import { createRandom } from '../random.ts';
import type { Fault } from './fault.ts';
import { pause, repeat } from './pause.ts';

const LONGEST_DELAY_MS = 100;

export const slowNetworkFault: Fault = {
  name: 'slow network',
  async inject({ place, random, ending, say }) {
    const proxies = [
      { name: 'Postgres', proxy: place.databaseProxy },
      { name: 'NATS', proxy: place.nats.proxy },
    ];
    say(`each piece to and from Postgres and NATS takes up to ${LONGEST_DELAY_MS} ms`);
    // The delays have their own random numbers, because the number of chunks depends on the machine.
    const delays = createRandom(Math.floor(random.between(0, 1_000_000)));
    for (const { proxy } of proxies) proxy.slowDown(() => delays.between(1, LONGEST_DELAY_MS));
    try {
      return await repeat(
        ending,
        () => random.between(1, 4),
        async () => {
          const { name, proxy } = random.pick(proxies);
          if (random.next() < 0.5) {
            say(`cut all connections to ${name}`);
            return proxy.cut();
          }
          const seconds = random.between(0.5, 3);
          say(`nothing passes to and from ${name} for ${seconds.toFixed(1)} s; then its connections are cut`);
          proxy.hold(true);
          await pause(seconds);
          proxy.cut();
          proxy.hold(false);
        },
      );
    } finally {
      for (const { proxy } of proxies) proxy.slowDown(undefined);
    }
  },
};
