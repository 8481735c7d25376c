import { FLAG, parseOptions } from '../../src/options/parse-options.ts';

export interface DecisionBenchOptions {
  readonly withDecisions: boolean;
  readonly withCalls: boolean;
  /** Whether the gateway uses callers again. */
  readonly reusesCallers: boolean;
}

const HELP = `npm run bench -- decisions [options]

Measures the time of a decision by number of rules, and the share of the library in it; then tool calls through the gateway compared
with direct ones, in separate processes. Exits 1 if a target is missed.

  --no-calls       skip the calls
  --no-decisions   skip the decisions
  --no-reuse       start the gateway with CALLER_REUSE_ENABLED=false`;

/** Reads the options of the bench; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): DecisionBenchOptions {
  return parseOptions(args, {
    help: HELP,
    options: { 'no-calls': FLAG, 'no-decisions': FLAG, 'no-reuse': FLAG },
    read: (values) => ({
      withCalls: !values['no-calls'],
      withDecisions: !values['no-decisions'],
      reusesCallers: !values['no-reuse'],
    }),
  });
}
