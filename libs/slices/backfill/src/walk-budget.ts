import type { StopReason } from './watermark.ts';

/** What a pass may still write. Asked between sources, never inside one. */
export interface WalkBudget {
  spend(rows: number): void;
  /** Rows that may still be written. */
  left(): number;
  /**
   * True while the account or the pass has all of its rows: a source that needs more than that is written then, or it would be
   * too large for every pass.
   */
  isUntouched(): boolean;
  /** The limit that leaves no room for so many rows (one unless said otherwise), or undefined. */
  exhausted(rows?: number): Extract<StopReason, 'account_rows' | 'pass_rows' | 'pass_seconds'> | undefined;
}
