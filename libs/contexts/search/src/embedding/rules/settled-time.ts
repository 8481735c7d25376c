/** Transactions of the database as seen by one claim. */
export interface SeenTransactions {
  readonly now: Date;
  /** Lowest id of a transaction that is still open; all transactions with lower ids have ended. */
  readonly oldestOpenXid: bigint;
  /** The claim's own transaction id, which is higher than that of every transaction that is open now. */
  readonly ownXid: bigint;
}

/**
 * Creates a function that returns a time such that all transactions that wrote anything before this time have ended,
 * however long they took; undefined until such a time is known. The function keeps one marker at a time. The marker is
 * reached once all transactions that were open when it was set have ended.
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
