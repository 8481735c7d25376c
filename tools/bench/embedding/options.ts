import { FLAG, parseOptions, valued } from '../../src/options/parse-options.ts';

export interface EmbeddingBenchOptions {
  readonly chunks: number;
  readonly concurrency: number;
  readonly batchSize: number;
  readonly delayMs: number;
  readonly width: number;
  readonly runs: number;
  readonly check: boolean;
}

const HELP = `npm run bench -- embedding [options]

Measures how quickly one search-indexer embeds an account's pending chunks, alternating with a plain loop of the same calls. The
provider is a separate process that takes a fixed time for every call.

  --chunks N        pending chunks (10000)
  --concurrency N   calls in flight, for both (2: more would measure the two cores of the machine)
  --batch N         texts per call, for both (32: the indexer's default)
  --delay N         milliseconds of the provider per call (20)
  --width N         dimensions of the vectors (384)
  --runs N          number of runs; figures are medians (3)
  --check           exit 1 if the target is missed`;

export function readOptions(args: readonly string[]): EmbeddingBenchOptions {
  return parseOptions(args, {
    help: HELP,
    options: {
      chunks: valued('10000'),
      concurrency: valued('2'),
      batch: valued('32'),
      delay: valued('20'),
      width: valued('384'),
      runs: valued('3'),
      check: FLAG,
    },
    read: (values) => ({
      chunks: Number(values.chunks),
      concurrency: Number(values.concurrency),
      batchSize: Number(values.batch),
      delayMs: Number(values.delay),
      width: Number(values.width),
      runs: Number(values.runs),
      check: values.check,
    }),
  });
}
