import { FLAG, parseOptions, valued } from '../../src/options/parse-options.ts';
import { readNumber, readSize } from '../../src/options/read-numbers.ts';

export interface BenchOptions {
  readonly chunks: number;
  readonly largeShare: number;
  readonly seed: number;
  readonly concurrencies: readonly number[];
  /** Length of each measurement in seconds. */
  readonly seconds: number;
  readonly withSqlite: boolean;
  readonly withIngest: boolean;
  /** True to delete the generated corpus at the end instead of keeping it for the next run. */
  readonly wipe: boolean;
  /** Directory for CPU profiles of the apps. */
  readonly profile: string | undefined;
}

const HELP = `npm run bench -- search [options]

Generates a corpus (Zipf's law, one large account, thousands of small ones), then measures searches over HTTP compared with
the same SQL through pg and with SQLite's FTS5, and writes with chunks compared with writes without. Starts its own servers.

  --chunks N          size of the corpus: 100k, 1M, 10M (100k); kept in .local/bench-search-N for the next run
  --large-share X     share of one account in the chunks (0.1)
  --concurrency LIST  simultaneous searches (1,8,32)
  --seconds N         length of each measurement (3)
  --seed N            seed of the corpus (1)
  --no-sqlite         skip SQLite
  --no-ingest         skip the writes
  --wipe              delete the corpus afterwards
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
