/** A call of the same session or caller that was allowed earlier. */
export interface EarlierCall {
  readonly server: string;
  readonly name: string;
  /** Time since the call was allowed, in seconds according to the database clock. */
  readonly ageSeconds: number;
  /** True if the tool and the arguments are the same as those of the call to be decided. */
  readonly isEqual: boolean;
}

/** Earlier calls, newest first; at most `MAX_EARLIER_CALLS`. */
export type CallHistory = readonly EarlierCall[];

/** Maximum number of calls of a session or caller that are counted. */
export const MAX_EARLIER_CALLS = 5_000;
export const NO_HISTORY: CallHistory = [];
