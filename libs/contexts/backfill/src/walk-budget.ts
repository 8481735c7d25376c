import type { StopReason } from './watermark.ts';

/** Remaining budget of a pass. It is checked between sources, never within one. */
export interface WalkBudget {
  spend(rows: number): void;
  /** Returns the number of rows that may still be written. */
  left(): number;
  /**
   * Returns true while no rows have been used from the budgets of the account and of the pass. In this case, even a
   * source that needs more rows than allowed is written, because otherwise it would never be written.
   */
  isUntouched(): boolean;
  /** Returns the limit that writing this number of rows (default: one) would exceed, or undefined. */
  exhausted(rows?: number): Extract<StopReason, 'account_rows' | 'pass_rows' | 'pass_seconds'> | undefined;
}
