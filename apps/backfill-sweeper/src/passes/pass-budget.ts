import type { WalkBudget } from '@steward/backfill';

export interface PassLimits {
  readonly maxRowsPerPass: number;
  readonly maxRowsPerAccount: number;
  readonly maxSeconds: number;
}

/** Compares the writes and the duration of a pass with its limits. */
export interface PassBudget extends WalkBudget {
  startAccount(): void;
  /**
   * Sets the number of rows that all sweepers have written in the current pass, so that all sweepers together do not
   * exceed the limit of the pass.
   */
  noteRowsOfAll(rows: number): void;
  /** Number of rows written by this sweeper. */
  readonly rows: number;
}

export function createPassBudget(limits: PassLimits, elapsedSeconds: () => number): PassBudget {
  let rows = 0;
  let passRows = 0;
  let accountRows = 0;
  return {
    startAccount() {
      accountRows = 0;
    },
    noteRowsOfAll(ofAll) {
      passRows = Math.max(rows, ofAll);
    },
    spend(more) {
      rows += more;
      passRows += more;
      accountRows += more;
    },
    left() {
      return Math.max(0, Math.min(limits.maxRowsPerPass - passRows, limits.maxRowsPerAccount - accountRows));
    },
    isUntouched() {
      return passRows === 0 || (accountRows === 0 && limits.maxRowsPerPass - passRows >= limits.maxRowsPerAccount);
    },
    exhausted(more = 1) {
      if (elapsedSeconds() >= limits.maxSeconds) return 'pass_seconds';
      if (passRows + more > limits.maxRowsPerPass) return 'pass_rows';
      return accountRows + more > limits.maxRowsPerAccount ? 'account_rows' : undefined;
    },
    get rows() {
      return rows;
    },
  };
}
