import { FLAG, parseOptions } from '../../src/options/parse-options.ts';

export interface GatewayBenchOptions {
  readonly withPortkey: boolean;
  /** Rounds of calls, of which the median counts. */
  readonly rounds: number;
  /** Share of the calls of a full round. */
  readonly share: number;
  readonly withStreams: boolean;
}

const HELP = `npm run bench -- gateway [options]

What a call of a model takes longer through the gateway than straight to the same provider, with a hard budget in force, booked
and stored; compared with a plain proxy, and Portkey's gateway, which records no usage. Exits 1 when a target is missed.

  --no-portkey   leave Portkey's gateway out (installed into .local/portkey-bench on first use)`;

/** Options of the bench; prints the help and ends the process where that was asked for. */
export function readOptions(args: readonly string[]): GatewayBenchOptions {
  return parseOptions(args, {
    help: HELP,
    options: { 'no-portkey': FLAG },
    read: (values) => ({ withPortkey: !values['no-portkey'], rounds: 3, share: 1, withStreams: true }),
  });
}
