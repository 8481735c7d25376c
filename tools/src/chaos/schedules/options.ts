import { parseOptions, valued } from '../../options/parse-options.ts';
import { readCount } from '../../options/read-numbers.ts';

export interface ScheduleChaosOptions {
  /**
   * Number of minutes of the test clock: each one ends seconds after its due times have been decided, or after two
   * minutes of real time.
   */
  readonly minutes: number;
  readonly schedules: number;
  /** Seed of the kills: the same seed results in the same order of kills; their effect depends on the machine. */
  readonly seed: number;
}

const HELP = `npm run chaos -- schedules [options]

Starts the suite with three flow workers on servers of its own; the clocks of two are 30 s ahead and 30 s behind. Schedules that
are due every minute run while the workers are killed (kill -9) at random. A minute of the clock of schedules passes as soon as
its due times are decided. Then the books: each due time has one row, and as many runs as that says. Exits 1 when not.

  --minutes N      minutes of the clock (10)
  --schedules N    flows that are due every minute (30)
  --seed N         order of the kills (random; printed)`;

/** Reads the options of the run; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): ScheduleChaosOptions {
  return parseOptions(args, {
    help: HELP,
    options: {
      minutes: valued('10'),
      schedules: valued('30'),
      seed: valued(String(Math.floor(Math.random() * 1_000_000))),
    },
    read: (values) => ({
      minutes: readCount('minutes', values.minutes),
      schedules: readCount('schedules', values.schedules),
      seed: readCount('seed', values.seed, 0),
    }),
  });
}
