import { parseArgs } from 'node:util';

export interface ChaosOptions {
  readonly seconds: number;
  /** The same seed gives the same faults in the same order; what they hit is up to the machine. */
  readonly seed: number;
  readonly producers: number;
  /** How long everything may take to arrive once the faults are over. */
  readonly drainSeconds: number;
}

const HELP = `npm run chaos -- webhooks [options]

Starts the suite with two dispatchers on servers of its own. Producers end sessions through the API while dispatchers and
the gateway are killed, NATS and Postgres are restarted and a dispatcher is frozen past its lease. Then the books: every
session that was answered as ended must have reached its receiver. Exits 1 when one did not.

  --seconds N         how long the faults last (90)
  --seed N            order of the faults (random; printed)
  --producers N       accounts that emit at once (5)
  --drain-seconds N   patience after the faults (180)`;

/** Options of the chaos run; prints the help and ends the process where that was asked for. */
export function readOptions(args: readonly string[]): ChaosOptions {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        seconds: { type: 'string', default: '90' },
        seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
        producers: { type: 'string', default: '5' },
        'drain-seconds': { type: 'string', default: '180' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) {
      console.log(HELP);
      process.exit(0);
    }
    return {
      seconds: readCount('seconds', values.seconds),
      seed: readCount('seed', values.seed, 0),
      producers: readCount('producers', values.producers),
      drainSeconds: readCount('drain-seconds', values['drain-seconds']),
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    process.exit(2);
  }
}

function readCount(name: string, text: string, min = 1): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < min)
    throw new Error(`--${name}: "${text}" is not a number of at least ${min}`);
  return count;
}
