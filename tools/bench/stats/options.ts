import { parseOptions, valued } from '../../src/options/parse-options.ts';
import { readSize } from '../../src/options/read-numbers.ts';

export interface StatsBenchOptions {
  readonly calls: number;
}

const HELP = `npm run bench -- stats [options]

Records model calls of 40 keys, 20 agents, 8 models, 12 flows and 15 people over 30 days, ends deliveries and executions, aggregates
them, and reads every chart of the console 30 times, as the API does. Also measures the time that counting adds to an insert. Starts
its own server.

  --calls N       number of model calls (1M)`;

/** Reads the options of the bench; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): StatsBenchOptions {
  return parseOptions(args, {
    help: HELP,
    options: { calls: valued('1M') },
    read: (values) => ({ calls: readSize('calls', values.calls, 1) }),
  });
}
