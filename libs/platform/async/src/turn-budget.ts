/** Limits the work of each turn of the event loop, so that the loop can process other work in between. */
export interface TurnBudget {
  /**
   * Runs `work`, then calls `next`: immediately if this turn of the event loop has budget left and no caller is
   * waiting, otherwise in a later turn, in the order of the calls.
   *
   * @param work - returns how much of the budget it used
   */
  readonly run: (work: () => number, next: () => void) => void;
}

interface Waiting {
  readonly work: () => number;
  readonly next: () => void;
}

/**
 * Creates a budget.
 * @param perTurn - budget of all callers together per turn of the event loop, in the unit returned by `work`; the call
 *   that exceeds it is the last one of the turn
 */
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
      if (taken >= perTurn) return;
    }
  }

  function start({ work, next }: Waiting): void {
    taken += work();
    // The used budget is reset only after it is exhausted, not in every turn: a callback in every turn would cost more
    // than an occasional turn that ends too early.
    if (taken >= perTurn) renewLater();
    next();
  }

  return {
    run(work, next) {
      if (taken >= perTurn || waiting.length > 0) waiting.push({ work, next });
      else start({ work, next });
    },
  };
}
