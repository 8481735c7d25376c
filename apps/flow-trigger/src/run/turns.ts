import type { Clock } from '@steward/async';

/**
 * State that a worker stores between claims, so that accounts take turns and one failing execution does not block
 * others.
 */
export interface Turns {
  /** Returns the id of the account that was served last. */
  servedLast(): string | undefined;
  serve(accountId: string): void;
  /** Returns the ids of the executions that recently could not be started. */
  avoided(): string[];
  avoid(executionId: string): void;
}

/**
 * Time for which an execution is avoided, so short that it starts within half a minute if the database was unavailable
 * only briefly.
 */
const AVOIDED_MS = 15_000;

export function createTurns(clock: Clock): Turns {
  const untilById = new Map<string, number>();
  let last: string | undefined;
  return {
    servedLast: () => last,
    serve(accountId) {
      last = accountId;
    },
    avoided() {
      const now = clock.now().getTime();
      for (const [id, until] of untilById) if (until <= now) untilById.delete(id);
      return [...untilById.keys()];
    },
    avoid(executionId) {
      untilById.set(executionId, clock.now().getTime() + AVOIDED_MS);
    },
  };
}
