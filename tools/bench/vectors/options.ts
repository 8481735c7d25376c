import { FLAG, parseOptions, valued } from '../../src/options/parse-options.ts';
import { readSize } from '../../src/options/read-numbers.ts';

export interface BenchOptions {
  readonly vectors: number;
  readonly width: number;
  readonly seed: number;
  /** Number of queries per account. */
  readonly queries: number;
  readonly withPeer: boolean;
  readonly wipe: boolean;
}

const HELP = `npm run bench -- vectors [options]

Loads clustered vectors in accounts of every size into Postgres, as the service stores them, and into LanceDB, and runs the same
queries on both, with filters that match from half of the vectors down to ten: recall@10 against an exact comparison, and milliseconds.
The first run installs LanceDB.

  --vectors N    number of vectors: 100k, 1M (1M); kept in .local/bench-vectors-by-session-N-... for the next run
  --width N      dimensions (384)
  --queries N    queries of each account (100)
  --seed N       seed of the corpus (1)
  --no-peer      skip LanceDB
  --wipe         delete the loaded data afterwards`;

/** Reads the options of the bench; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): BenchOptions {
  return parseOptions(args, {
    help: HELP,
    options: {
      vectors: valued('1M'),
      width: valued('384'),
      queries: valued('100'),
      seed: valued('1'),
      'no-peer': FLAG,
      wipe: FLAG,
    },
    read: (values) => ({
      vectors: readSize('vectors', values.vectors, 50_000),
      width: readCount('width', values.width, 4000),
      queries: readCount('queries', values.queries, 100_000),
      seed: readCount('seed', values.seed, 1_000_000),
      withPeer: !values['no-peer'],
      wipe: values.wipe,
    }),
  });
}

function readCount(name: string, text: string, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new Error(`--${name}: "${text}" is not 1 to ${most}`);
  return value;
}
