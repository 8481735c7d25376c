import { FLAG, parseOptions, valued } from '../../src/options/parse-options.ts';
import { readNumber, readSize } from '../../src/options/read-numbers.ts';

export interface BackfillBenchOptions {
  readonly sessions: number;
  readonly accounts: number;
  /** Length of each measurement in seconds; it is shorter if a sweep finishes earlier. */
  readonly seconds: number;
  readonly check: boolean;
  /** Directory for CPU profiles of the apps. */
  readonly profile: string | undefined;
}

const HELP = `npm run bench -- backfill [options]

Stores history of many accounts while indexing is off; one account has half of it. Then measures one pass of the sweeper with its
defaults, a sweep without limits compared with the same chunks inserted by SQL alone, and searches over HTTP before and during the
sweep. Starts its own servers.

  --sessions N     sessions of all accounts together (200k)
  --accounts N     (50)
  --seconds N      length of each measurement (20)
  --check          exit 1 if a target is missed
  --profile DIR    CPU profiles of the apps`;

/** Reads the options of the bench; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): BackfillBenchOptions {
  return parseOptions(args, {
    help: HELP,
    options: {
      sessions: valued('200k'),
      accounts: valued('50'),
      seconds: valued('20'),
      check: FLAG,
      profile: { type: 'string' },
    },
    read: (values) => ({
      sessions: readSize('sessions', values.sessions, 1000),
      accounts: readNumber('accounts', values.accounts),
      seconds: readNumber('seconds', values.seconds),
      check: values.check,
      profile: values.profile,
    }),
  });
}
