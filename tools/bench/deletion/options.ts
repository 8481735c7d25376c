import { parseOptions, valued } from '../../src/options/parse-options.ts';
import { readNumber, readSize } from '../../src/options/read-numbers.ts';

export interface DeletionBenchOptions {
  /** Chunks of the session that is deleted, one for each message. */
  readonly chunks: number;
  readonly rounds: number;
  readonly writers: number;
}

const HELP = `npm run bench -- deletion [options]

Writers of messages, each to a session of its own, while nothing else happens and while a long session of the same account, with its
vectors in an HNSW index, is deleted as the sweeper does it; in turns, in one run. On a server of its own.

  --chunks N      of the session that is deleted (10k)
  --rounds N      (2)
  --writers N     (2)`;

/** Reads the options of the bench; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): DeletionBenchOptions {
  return parseOptions(args, {
    help: HELP,
    options: {
      chunks: valued('10k'),
      rounds: valued('2'),
      writers: valued('2'),
    },
    read: (values) => ({
      chunks: readSize('chunks', values.chunks, 100),
      rounds: readNumber('rounds', values.rounds),
      writers: readNumber('writers', values.writers),
    }),
  });
}
