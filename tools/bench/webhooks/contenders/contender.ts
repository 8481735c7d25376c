import type { TestDatabase } from '@steward/testing';
import type { BenchEvent } from '../bench-event.ts';

export interface ContenderInput {
  readonly events: readonly BenchEvent[];
  readonly accountIds: readonly string[];
  /** Where to post; every request counts by its event id. */
  readonly url: string;
  /** A clone of its own. */
  readonly database: TestDatabase;
  readonly natsUrl: string;
  readonly concurrency: number;
  readonly profileDirectory: string | undefined;
}

/** One run of one contender. */
export interface Contest {
  /** Secrets that sign; the sample is verified with them. */
  readonly secrets: readonly string[];
  /** Begins to work on the full queue. */
  start(): Promise<void>;
  /** Process id of the worker, once it was started. */
  readPid(): number;
  /** How many attempts are on record; undefined where none are kept. */
  countAttempts(): Promise<number> | undefined;
  stop(): Promise<void>;
}

export interface Contender {
  readonly name: string;
  /** Puts every event into the queue, without a worker running. */
  prepare(input: ContenderInput): Promise<Contest>;
}
