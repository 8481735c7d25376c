import { FLAG, parseOptions } from '../../src/options/parse-options.ts';

export interface DecisionBenchOptions {
  readonly withDecisions: boolean;
  readonly withCalls: boolean;
}

const HELP = `npm run bench -- decisions [options]

What a decision costs, by the number of rules, and what the library takes of that by itself; then a call of a tool through the
gateway compared with a direct one, in processes. Exits 1 when a target is missed.

  --no-calls       leave the calls out
  --no-decisions   leave the decisions out`;

/** Options of the bench; prints the help and ends the process where that was asked for. */
export function readOptions(args: readonly string[]): DecisionBenchOptions {
  return parseOptions(args, {
    help: HELP,
    options: { 'no-calls': FLAG, 'no-decisions': FLAG },
    read: (values) => ({ withCalls: !values['no-calls'], withDecisions: !values['no-decisions'] }),
  });
}
