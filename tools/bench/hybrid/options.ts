import { FLAG, parseOptions, valued } from '../../src/options/parse-options.ts';
import { readNumber, readSize } from '../../src/options/read-numbers.ts';

export interface HybridOptions {
  readonly chunks: number;
  readonly largeShare: number;
  readonly seed: number;
  readonly width: number;
  /** Number of searches per class, mode and account. */
  readonly queries: number;
  readonly wipe: boolean;
}

const HELP = `npm run bench -- hybrid [options]

Generates the corpus of the search benchmark with a vector for every chunk, in one large account and many small ones, and measures
keyword, semantic and hybrid searches over HTTP with a provider in this process. "first" is a new query, which the provider embeds;
"again" is the same query with its cached embedding. Starts its own servers.

  --chunks N         number of chunks and of vectors: 20k, 100k, 1M (100k); kept in .local/bench-search-N-... for the next run
  --large-share X    share of one account (0.75)
  --width N          dimensions (384)
  --queries N        queries of each class, mode and account (200)
  --seed N           seed of the corpus (1)
  --wipe             delete the corpus afterwards`;

/** Reads the options of the bench; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): HybridOptions {
  return parseOptions(args, {
    help: HELP,
    options: {
      chunks: valued('100k'),
      'large-share': valued('0.75'),
      width: valued('384'),
      queries: valued('200'),
      seed: valued('1'),
      wipe: FLAG,
    },
    read: (values) => ({
      chunks: readSize('chunks', values.chunks, 1000),
      largeShare: readNumber('large-share', values['large-share']),
      width: readNumber('width', values.width),
      queries: readNumber('queries', values.queries),
      seed: readNumber('seed', values.seed),
      wipe: values.wipe,
    }),
  });
}
