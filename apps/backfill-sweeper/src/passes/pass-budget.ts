import type { WalkBudget } from '@steward/slice-backfill';

export interface PassLimits {
  readonly maxRowsPerPass: number;
  readonly maxRowsPerAccount: number;
  readonly maxSeconds: number;
}

/** Counts what a pass wrote against its limits. */
export interface PassBudget extends WalkBudget {
  startAccount(): void;
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
    left() {
      return Math.max(0, Math.min(limits.maxRowsPerPass - passRows, limits.maxRowsPerAccount - accountRows));
    },
    isUntouched() {
      return passRows === 0 || (accountRows === 0 && limits.maxRowsPerPass - passRows >= limits.maxRowsPerAccount);
    },
    exhausted(rows = 1) {
      if (elapsedSeconds() >= limits.maxSeconds) return 'pass_seconds';
      if (passRows + rows > limits.maxRowsPerPass) return 'pass_rows';
      return accountRows + rows > limits.maxRowsPerAccount ? 'account_rows' : undefined;
    },
    get rows() {
      return passRows;
    },
  };
}
