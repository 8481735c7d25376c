/** What one claim saw of the transactions of the database. */
export interface SeenTransactions {
  readonly now: Date;
  /** All transactions before this one are over. */
  readonly oldestOpenXid: bigint;
  /** The claim's own: what has a number by now has a lower one. */
  readonly ownXid: bigint;
}

/**
 * Up to when the transactions are over that had written anything, however long they take; undefined until that is known of any
 * time. One mark at a time: it passes once everybody is gone who was there when it was made.
 */
export function createSettledTime(): (seen: SeenTransactions) => Date | undefined {
  let settledAt: Date | undefined;
  let mark: { readonly at: Date; readonly xid: bigint } | undefined;
  return ({ now, oldestOpenXid, ownXid }) => {
    if (mark !== undefined && oldestOpenXid < mark.xid) return settledAt;
    settledAt = mark?.at;
    mark = { at: now, xid: ownXid };
    return settledAt;
  };
}
