/** A call that was let through before, of the same session or caller. */
export interface EarlierCall {
  readonly server: string;
  readonly name: string;
  /** Since it was let through, by the clock of the database. */
  readonly ageSeconds: number;
  /** The same tool with the same arguments. */
  readonly isEqual: boolean;
}

/** Newest first; at most `MAX_EARLIER_CALLS`. */
export type CallHistory = readonly EarlierCall[];

/** Of a session; further ones are not counted. */
export const MAX_EARLIER_CALLS = 5_000;
export const NO_HISTORY: CallHistory = [];
