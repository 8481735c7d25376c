import type { PassStopReason } from '@steward/slice-backfill';

export interface PassLimits {
  readonly maxRowsPerPass: number;
  readonly maxRowsPerAccount: number;
  readonly maxSeconds: number;
}

/** Counts what a pass wrote against its limits. Asked between sources, never inside one. */
export interface PassBudget {
  startAccount(): void;
  spend(rows: number): void;
  /** The limit that is used up, or undefined while there is room. */
  exhausted(): Extract<PassStopReason, 'account_rows' | 'pass_rows' | 'pass_seconds'> | undefined;
  readonly rows: number;
}

export function createPassBudget(limits: PassLimits, elapsedSeconds: () => number): PassBudget {
  let passRows = 0;
  let accountRows = 0;
  return {
    startAccount() {
      accountRows = 0;
    },
    spend(rows) {
      passRows += rows;
      accountRows += rows;
    },
    exhausted() {
      if (elapsedSeconds() >= limits.maxSeconds) return 'pass_seconds';
      if (passRows >= limits.maxRowsPerPass) return 'pass_rows';
      return accountRows >= limits.maxRowsPerAccount ? 'account_rows' : undefined;
    },
    get rows() {
      return passRows;
    },
  };
}
