import type { TestDatabase } from '@steward/testing';
import type { BenchEvent } from '../bench-event.ts';

export interface ContenderInput {
  readonly events: readonly BenchEvent[];
  readonly accountIds: readonly string[];
  /** URL to which the contender posts; every request is counted by its event id. */
  readonly url: string;
  /** Separate clone of the database. */
  readonly database: TestDatabase;
  readonly natsUrl: string;
  readonly concurrency: number;
  readonly profileDirectory: string | undefined;
}

/** Run of one contender. */
export interface Contest {
  /** Signing secrets, with which the sample is verified. */
  readonly secrets: readonly string[];
  /** Starts processing the full queue. */
  start(): Promise<void>;
  /** Returns the process id of the worker, once it has been started. */
  readPid(): number;
  /** Returns the number of recorded attempts; undefined if none are recorded. */
  countAttempts(): Promise<number> | undefined;
  stop(): Promise<void>;
}

export interface Contender {
  readonly name: string;
  /** Puts every event into the queue, while no worker runs. */
  prepare(input: ContenderInput): Promise<Contest>;
}
