/** Transactions of the database as seen by one claim. */
export interface SeenTransactions {
  readonly now: Date;
  /** All transactions before this one have ended. */
  readonly oldestOpenXid: bigint;
  /** The claim's own transaction id: every current transaction has a lower one. */
  readonly ownXid: bigint;
}

/**
 * Time up to which all transactions that had written anything have ended, however long they take; undefined until one
 * is known. It keeps one marker at a time, which is reached once all transactions open at its creation have ended.
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
