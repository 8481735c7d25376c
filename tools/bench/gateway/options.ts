import { FLAG, parseOptions } from '../../src/options/parse-options.ts';

export interface GatewayBenchOptions {
  readonly withPortkey: boolean;
  /** Number of rounds of calls, whose median is used. */
  readonly rounds: number;
  /** Number of calls in each round, as a share of the usual number. */
  readonly share: number;
  readonly withStreams: boolean;
}

const HELP = `npm run bench -- gateway [options]

Measures the time that the gateway adds to a model call, compared with a direct call of the same provider, with a hard budget,
recorded usage and stored content; also for a plain proxy and for Portkey's gateway, which records no usage. Exits 1 if a target is missed.

  --no-portkey   skip Portkey's gateway (installed into .local/portkey-bench on first use)`;

/** Reads the options of the bench; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): GatewayBenchOptions {
  return parseOptions(args, {
    help: HELP,
    options: { 'no-portkey': FLAG },
    read: (values) => ({ withPortkey: !values['no-portkey'], rounds: 3, share: 1, withStreams: true }),
  });
}
