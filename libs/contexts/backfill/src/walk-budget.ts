import type { StopReason } from './watermark.ts';

/** Remaining budget of a pass. Checked between sources, never inside one. */
export interface WalkBudget {
  spend(rows: number): void;
  /** Rows that may still be written. */
  left(): number;
  /**
   * True while the account or the pass has all of its rows left: a source that needs more than that is then written, or
   * it would be too large for every pass.
   */
  isUntouched(): boolean;
  /** The limit that does not allow this number of rows (default: one), or undefined. */
  exhausted(rows?: number): Extract<StopReason, 'account_rows' | 'pass_rows' | 'pass_seconds'> | undefined;
}
