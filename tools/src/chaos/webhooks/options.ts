import { parseOptions, valued } from '../../options/parse-options.ts';
import { readCount } from '../../options/read-numbers.ts';

export interface ChaosOptions {
  readonly seconds: number;
  /**
   * Seed of the faults: the same seed results in the same faults in the same order; their effect depends on the
   * machine.
   */
  readonly seed: number;
  readonly producers: number;
  /** Maximum time within which everything has to arrive after the faults have ended. */
  readonly drainSeconds: number;
}

const HELP = `npm run chaos -- webhooks [options]

Starts the suite with two dispatchers on servers of its own. Producers end sessions through the API while dispatchers and
the gateway are killed, NATS and Postgres are restarted and a dispatcher is frozen past its lease. Then the books: every
session that was answered as ended must have reached its receiver. Exits 1 when one did not.

  --seconds N         how long the faults last (90)
  --seed N            order of the faults (random; printed)
  --producers N       accounts that emit at once (5)
  --drain-seconds N   longest wait after the faults (180)`;

/** Reads the options of the chaos run; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): ChaosOptions {
  return parseOptions(args, {
    help: HELP,
    options: {
      seconds: valued('90'),
      seed: valued(String(Math.floor(Math.random() * 1_000_000))),
      producers: valued('5'),
      'drain-seconds': valued('180'),
    },
    read: (values) => ({
      seconds: readCount('seconds', values.seconds),
      seed: readCount('seed', values.seed, 0),
      producers: readCount('producers', values.producers),
      drainSeconds: readCount('drain-seconds', values['drain-seconds']),
    }),
  });
}
