import type { Clock } from '@steward/async';

/** What a worker remembers from claim to claim, so that accounts take turns and one bad execution stops no other. */
export interface Turns {
  /** The account served last. */
  servedLast(): string | undefined;
  serve(accountId: string): void;
  /** Executions that could not be started a moment ago. */
  avoided(): string[];
  avoid(executionId: string): void;
}

/** Short enough that it starts within half a minute when only the database was away for a moment. */
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
