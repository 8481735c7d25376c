/** Final counts of the provider and the service for the calls of one model. Amounts in millionths of a dollar. */
export interface Spending {
  /** Price of one call at the provider. */
  readonly costMicro: number;
  /** Number of calls that reached the provider. */
  readonly asked: number;
  /** Number of calls whose response the provider sent completely. */
  readonly answered: number;
  /** The highest limit that the budget had. */
  readonly limitMicro: number;
  readonly spentMicro: number;
  readonly heldMicro: number;
  /** Sum of the usage rows. */
  readonly recordedMicro: number;
}

/** Counts violations as numbers of calls. */
export function countSpending(spending: Spending): Record<string, number> {
  const { costMicro, asked, answered, limitMicro, spentMicro, heldMicro, recordedMicro } = spending;
  const inCalls = (micro: number): number => Math.max(0, Math.ceil(micro / costMicro));
  return {
    // The provider may charge for every call that reached it.
    'calls past the budget': inCalls(Math.max(asked * costMicro, spentMicro) - limitMicro),
    'answered calls not spent': inCalls(answered * costMicro - spentMicro),
    'calls still held': inCalls(heldMicro),
    'calls spent and not recorded, or the reverse': inCalls(Math.abs(spentMicro - recordedMicro)),
  };
}
