/** A call that was allowed before, of the same session or caller. */
export interface EarlierCall {
  readonly server: string;
  readonly name: string;
  /** Time since it was allowed, by the database clock. */
  readonly ageSeconds: number;
  /** Same tool and same arguments. */
  readonly isEqual: boolean;
}

/** Newest first; at most `MAX_EARLIER_CALLS`. */
export type CallHistory = readonly EarlierCall[];

/** Limit per session; further calls are not counted. */
export const MAX_EARLIER_CALLS = 5_000;
export const NO_HISTORY: CallHistory = [];
