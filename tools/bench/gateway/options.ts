import { FLAG, parseOptions, valued } from '../../src/options/parse-options.ts';

/** Numbers of calls at once that are measured. */
export const CONCURRENCIES = [1, 10, 50] as const;
export type Concurrency = (typeof CONCURRENCIES)[number];

export interface GatewayBenchOptions {
  readonly withPortkey: boolean;
  /** Number of rounds of calls, whose median is used. */
  readonly rounds: number;
  /** Number of calls in each round, as a share of the usual number. */
  readonly share: number;
  readonly withStreams: boolean;
  readonly atOnce: readonly Concurrency[];
  /** Whether the gateway uses again what it has read about callers (CALLER_REUSE_ENABLED). */
  readonly reusesCallers: boolean;
}

const HELP = `npm run bench -- gateway [options]

Measures the time that the gateway adds to a model call, compared with a direct call of the same provider, with a hard budget,
recorded usage and stored content; also for a plain proxy and for Portkey's gateway, which records no usage. Exits 1 if a target is missed.

  --no-portkey   skip Portkey's gateway (installed into .local/portkey-bench on first use)
  --at 1,10,50   numbers of calls at once, comma separated
  --no-streams   measure only calls without streaming
  --no-reuse     start the gateway with CALLER_REUSE_ENABLED=false`;

/** Reads the options of the bench; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): GatewayBenchOptions {
  return parseOptions(args, {
    help: HELP,
    options: { 'no-portkey': FLAG, at: valued(CONCURRENCIES.join(',')), 'no-streams': FLAG, 'no-reuse': FLAG },
    read: (values) => ({
      withPortkey: !values['no-portkey'],
      rounds: 3,
      share: 1,
      withStreams: !values['no-streams'],
      atOnce: values.at.split(',').map(readConcurrency),
      reusesCallers: !values['no-reuse'],
    }),
  });
}

function readConcurrency(text: string): Concurrency {
  const found = CONCURRENCIES.find((one) => String(one) === text);
  if (found === undefined) throw new Error(`--at takes ${CONCURRENCIES.join(', ')}, not ${text}.`);
  return found;
}
