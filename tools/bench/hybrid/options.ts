import { FLAG, parseOptions, valued } from '../../src/options/parse-options.ts';
import { readNumber, readSize } from '../../src/options/read-numbers.ts';

export interface HybridOptions {
  readonly chunks: number;
  readonly largeShare: number;
  readonly seed: number;
  readonly width: number;
  /** Number per class, mode and account. */
  readonly queries: number;
  readonly wipe: boolean;
}

const HELP = `npm run bench -- hybrid [options]

A generated corpus as the bench of searches has it, with a vector for every chunk, in one large account and many small ones;
keyword, semantic and hybrid searches over HTTP beside a provider in this process. "first" is a new query, with its
embedding by that provider; "again" the same with its embedding remembered. On servers of its own.

  --chunks N         and as many vectors: 20k, 100k, 1M (100k); kept in .local/bench-search-N-... for the next run
  --large-share X    share that one account owns (0.75)
  --width N          dimensions (384)
  --queries N        of each class, mode and account (200)
  --seed N           of the corpus (1)
  --wipe             wipe the corpus afterwards`;

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
