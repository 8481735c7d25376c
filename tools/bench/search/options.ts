import { FLAG, parseOptions, valued } from '../../src/options/parse-options.ts';
import { readNumber, readSize } from '../../src/options/read-numbers.ts';

export interface BenchOptions {
  readonly chunks: number;
  readonly largeShare: number;
  readonly seed: number;
  readonly concurrencies: readonly number[];
  /** Length of each measurement. */
  readonly seconds: number;
  readonly withSqlite: boolean;
  readonly withIngest: boolean;
  /** Delete the generated corpus afterwards instead of keeping it for the next run. */
  readonly wipe: boolean;
  /** Directory for CPU profiles of the apps. */
  readonly profile: string | undefined;
}

const HELP = `npm run bench -- search [options]

Generates a corpus (Zipf's law, one large account, thousands of small ones), then measures searches over HTTP beside the
same SQL through pg and beside SQLite's FTS5, and writing with chunks beside writing without. On servers of its own.

  --chunks N          size of the corpus: 100k, 1M, 10M (100k); kept in .local/bench-search-N for the next run
  --large-share X     share of the chunks that one account owns (0.1)
  --concurrency LIST  searches under way at once (1,8,32)
  --seconds N         length of each measurement (3)
  --seed N            of the corpus (1)
  --no-sqlite         leave SQLite out
  --no-ingest         leave the writing out
  --wipe              wipe the corpus afterwards
  --profile DIR       CPU profiles of the apps`;

/** Reads the options of the bench; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): BenchOptions {
  return parseOptions(args, {
    help: HELP,
    options: {
      chunks: valued('100k'),
      'large-share': valued('0.1'),
      concurrency: valued('1,8,32'),
      seconds: valued('3'),
      seed: valued('1'),
      'no-sqlite': FLAG,
      'no-ingest': FLAG,
      wipe: FLAG,
      profile: { type: 'string' },
    },
    read: (values) => ({
      chunks: readSize('chunks', values.chunks, 1000),
      largeShare: readNumber('large-share', values['large-share']),
      seed: readNumber('seed', values.seed),
      concurrencies: values.concurrency.split(',').map((text) => readNumber('concurrency', text)),
      seconds: readNumber('seconds', values.seconds),
      withSqlite: !values['no-sqlite'],
      withIngest: !values['no-ingest'],
      wipe: values.wipe,
      profile: values.profile,
    }),
  });
}
