import { parseOptions } from '../../src/options/parse-options.ts';

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

How quickly one search-indexer drains an account's pending chunks, beside a raw loop of the same calls, in turns. The provider
is a process of its own that takes a fixed time for every call.

  --chunks N        pending chunks (10000)
  --concurrency N   calls in flight, for both (2: with more, two cores that serve everybody are what is measured)
  --batch N         texts of a call, for both (32: the indexer's default)
  --delay N         milliseconds the provider takes for a call (20)
  --width N         of the vectors (384)
  --runs N          figures are medians (3)
  --check           exit 1 when the target was missed`;

export function readOptions(args: readonly string[]): EmbeddingBenchOptions {
  return parseOptions(args, {
    help: HELP,
    options: {
      chunks: { type: 'string', default: '10000' },
      concurrency: { type: 'string', default: '2' },
      batch: { type: 'string', default: '32' },
      delay: { type: 'string', default: '20' },
      width: { type: 'string', default: '384' },
      runs: { type: 'string', default: '3' },
      check: { type: 'boolean', default: false },
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
