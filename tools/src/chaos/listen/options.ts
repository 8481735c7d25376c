import { parseOptions, valued } from '../../options/parse-options.ts';
import { readCount } from '../../options/read-numbers.ts';

export interface ListenChaosOptions {
  readonly events: number;
  /**
   * Seed of the faults: the same seed results in the same faults in the same order; their effect depends on the
   * machine.
   */
  readonly seed: number;
  readonly producers: number;
}

const HELP = `npm run chaos -- listen [options]

Starts the suite on servers of its own and "steward webhooks listen", which forwards to a local receiver. Producers end
sessions through the API while the gateway is killed and stopped and the command is killed and frozen, once for longer than
the gateway waits for a reader. Then the books: every session that was answered as ended must have reached the receiver
with a signature that verifies. Exits 1 when one did not.

  --events N      how many events (10000)
  --seed N        order of the faults (random; printed)
  --producers N   producers that emit at once (8)`;

/** Reads the options of the chaos run; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): ListenChaosOptions {
  return parseOptions(args, {
    help: HELP,
    options: {
      events: valued('10000'),
      seed: valued(String(Math.floor(Math.random() * 1_000_000))),
      producers: valued('8'),
    },
    read: (values) => ({
      events: readCount('events', values.events),
      seed: readCount('seed', values.seed, 0),
      producers: readCount('producers', values.producers),
    }),
  });
}
