/** Work that comes faster than it can be done, done in portions that leave the event loop to others in between. */
export interface TurnBudget {
  /**
   * Does `work`, and then calls `next`: at once while something is left of this turn of the event loop and nobody waits, in a later turn
   * otherwise, in the order of the calls.
   *
   * @param work - Returns what it took of the turn.
   */
  readonly run: (work: () => number, next: () => void) => void;
}

interface Waiting {
  readonly work: () => number;
  readonly next: () => void;
}

/** @param perTurn - What all callers together may take of a turn, in the unit of `work`; the one that passes it is the last one. */
export function createTurnBudget(perTurn: number): TurnBudget {
  const waiting: Waiting[] = [];
  let taken = 0;
  let isRenewing = false;

  function renewLater(): void {
    if (isRenewing) return;
    isRenewing = true;
    setImmediate(renew);
  }

  function renew(): void {
    isRenewing = false;
    taken = 0;
    for (let first = waiting.shift(); first !== undefined; first = waiting.shift()) {
      start(first);
      if (taken >= perTurn) break;
    }
    if (waiting.length > 0) renewLater();
  }

  function start({ work, next }: Waiting): void {
    taken += work();
    renewLater();
    next();
  }

  return {
    run(work, next) {
      if (taken >= perTurn || waiting.length > 0) waiting.push({ work, next });
      else start({ work, next });
    },
  };
}
