import type { StopReason } from './watermark.ts';

/** What a pass may still write. Asked between sources, never inside one. */
export interface WalkBudget {
  spend(rows: number): void;
  /** Rows that may still be written. */
  left(): number;
  /** The limit that is used up, or undefined while there is room. */
  exhausted(): Extract<StopReason, 'account_rows' | 'pass_rows' | 'pass_seconds'> | undefined;
}
