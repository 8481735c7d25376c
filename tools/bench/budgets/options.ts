import { parseOptions } from '../../src/options/parse-options.ts';

const HELP = `npm run bench -- budgets

What budgets add to a call of a model, at 1, 10 and 50 calls at once on one account with a hard budget: holding its worst cost
(its caller waits for that), and booking it with its usage row (nobody waits). Beside it, in turns and over as many
connections, the least there could be: one update of one row per call, which is neither a limit nor a row of usage.`;

/** Options of the bench; prints the help and ends the process on request. */
export function readOptions(args: readonly string[]): undefined {
  return parseOptions(args, { help: HELP, options: {}, read: () => undefined });
}
