import { FLAG, parseOptions, valued } from '../../src/options/parse-options.ts';
import { readCount } from '../../src/options/read-numbers.ts';

export const PARTS = ['throughput', 'latency', 'emit', 'fairness', 'backlog'] as const;
/** Part of the bench. `memory` takes minutes and is measured separately, by `--memory`. */
export type Part = (typeof PARTS)[number] | 'memory';

export interface BenchOptions {
  readonly parts: readonly Part[];
  /** Number of events per contender and run. */
  readonly events: number;
  /** Number of runs; every throughput figure is their median. */
  readonly runs: number;
  /** Number of concurrent posts, the same for every contender. */
  readonly concurrency: number;
  readonly ratePerSecond: number;
  readonly latencySeconds: number;
  readonly fairnessSeconds: number;
  /** Numbers of finished deliveries in the database for the claim measurement. */
  readonly finishedRows: readonly number[];
  /** Numbers of endpoints with waiting deliveries for the claim measurement. */
  readonly waitingEndpoints: readonly number[];
  readonly check: boolean;
  /** Directory for the dispatcher's CPU profiles of the throughput runs; undefined if there is none. */
  readonly profileDirectory: string | undefined;
}

const HELP = `npm run bench -- webhooks [options]

Measures throughput, latency, emit cost, fairness and claim cost of the webhook dispatcher, compared with a plain undici loop, pg-boss
and graphile-worker. Starts its own servers. Exits 1 if an event is lost or, with --check, if a target is missed.

  --only PARTS             comma separated: ${PARTS.join(', ')} (default: all)
  --events N               events per contender and run (4000)
  --runs N                 runs per contender and of fairness; figures are medians (3)
  --concurrency N          simultaneous posts, for every contender (32)
  --rate N                 events per second of the latency run (200)
  --latency-seconds N      length of the latency run (10)
  --fairness-seconds N     length of each fairness run; there are twice --runs of them (8)
  --finished LIST          finished deliveries at which the claim is measured (0,100000,1000000)
  --waiting LIST           endpoints with waiting deliveries at which the claim is measured (100,1000,10000,50000)
  --memory                 only: memory of the dispatcher over 100,000 deliveries after a warm-up of 30,000
  --profile DIRECTORY      write a CPU profile of the dispatcher per throughput run
  --check                  exit 1 if a target is missed`;

/** Reads the options of the bench; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): BenchOptions {
  return parseOptions(args, {
    help: HELP,
    options: {
      only: valued(PARTS.join(',')),
      events: valued('4000'),
      runs: valued('3'),
      concurrency: valued('32'),
      rate: valued('200'),
      'latency-seconds': valued('10'),
      'fairness-seconds': valued('8'),
      finished: valued('0,100000,1000000'),
      waiting: valued('100,1000,10000,50000'),
      profile: { type: 'string' },
      memory: FLAG,
      check: FLAG,
    },
    read: (values) => ({
      parts: values.memory ? ['memory'] : values.only.split(',').map(readPart),
      events: readCount('events', values.events),
      runs: readCount('runs', values.runs),
      concurrency: readCount('concurrency', values.concurrency),
      ratePerSecond: readCount('rate', values.rate),
      latencySeconds: readCount('latency-seconds', values['latency-seconds']),
      fairnessSeconds: readCount('fairness-seconds', values['fairness-seconds']),
      finishedRows: values.finished.split(',').map((text) => readCount('finished', text, 0)),
      waitingEndpoints: values.waiting.split(',').map((text) => readCount('waiting', text)),
      check: values.check,
      profileDirectory: values.profile,
    }),
  });
}

function readPart(text: string): Part {
  const part = PARTS.find((known) => known === text);
  if (part === undefined) throw new Error(`"${text}" is not a part of the bench`);
  return part;
}
