import { parseOptions, valued } from '../../src/options/parse-options.ts';
import { readNumber, readSize } from '../../src/options/read-numbers.ts';

export interface DeletionBenchOptions {
  /** Number of chunks of the session that is deleted, one for each message. */
  readonly chunks: number;
  readonly rounds: number;
  readonly writers: number;
}

const HELP = `npm run bench -- deletion [options]

Measures writers of messages, each with its own session, alternately while idle and while the sweeper deletes a long session of the
same account whose vectors are in an HNSW index. Starts its own server.

  --chunks N      chunks of the deleted session (10k)
  --rounds N      number of rounds (2)
  --writers N     number of writers (2)`;

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
