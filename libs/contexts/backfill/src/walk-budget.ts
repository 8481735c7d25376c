import type { StopReason } from './watermark.ts';

/** Remaining budget of a pass. Checked between sources, never inside one. */
export interface WalkBudget {
  spend(rows: number): void;
  /** Rows that may still be written. */
  left(): number;
  /**
   * True while none of the rows of the account or the pass are used: a source that needs more is then written, since
   * otherwise it would be too large for every pass.
   */
  isUntouched(): boolean;
  /** Returns the limit that writing this number of rows (default: one) would exceed, or undefined. */
  exhausted(rows?: number): Extract<StopReason, 'account_rows' | 'pass_rows' | 'pass_seconds'> | undefined;
}
