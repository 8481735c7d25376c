/** State of an account's kill switch: while it is engaged, the account's agents may not act. */
export interface KillSwitch {
  readonly isEngaged: boolean;
  readonly reason: string | undefined;
  /** Time of the last change; undefined if the switch was never engaged. */
  readonly changedAt: Date | undefined;
  readonly changedBy: { readonly userId: string; readonly username: string | undefined } | undefined;
}
