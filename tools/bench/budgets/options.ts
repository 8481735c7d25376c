import { parseOptions } from '../../src/options/parse-options.ts';

const HELP = `npm run bench -- budgets

Measures the time that budgets add to a model call, at 1, 10 and 50 simultaneous calls of one account with a hard budget: reserving
its maximum cost (the caller waits for this), from a lease of the process and by the database, and recording it with its usage row (nobody waits). Alternates with a lower bound over
as many connections: one update of one row per call, which neither limits nor records anything.`;

/** Reads the options of the bench; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): undefined {
  return parseOptions(args, { help: HELP, options: {}, read: () => undefined });
}
