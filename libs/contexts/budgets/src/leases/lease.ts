import type { SpendSubject } from '../ledger/spend.ts';

/** A requested lease. Amounts are US dollars in decimal strings. */
export interface LeaseChange extends SpendSubject {
  readonly id: string;
  /** Amount to add to the lease; negative: to return. */
  readonly addUsd: string;
  /** A smaller amount is of no use. */
  readonly unitUsd: string;
  /** The process already has this lease. */
  readonly isKnown: boolean;
  /** The whole unused amount is returned. */
  readonly closes: boolean;
  /** Stored for the usage row, in case the process dies. */
  readonly call: object;
}

/** A call that was granted from a lease and gets a separate reservation. */
export interface DrawnCall {
  readonly id: string;
  readonly leaseId: string;
  readonly amountUsd: string;
  readonly occurredAt: Date;
  readonly tokens: number;
  readonly call: object;
}

export interface ChangedLease {
  readonly id: string;
  /**
   * `assumed`: its process was considered dead, and its reservation is counted as spent; `gone`: there is no such
   * lease.
   */
  readonly state: 'held' | 'assumed' | 'gone';
  readonly addedUsd: string;
  /** Amount above the lease's share of the rest of its budgets. */
  readonly excessUsd: string;
  /** Time of the change, according to the clock of the database. */
  readonly changedAt: Date;
  /** The end of the first period of its budgets; undefined: there is none. */
  readonly validUntil: Date | undefined;
  /** Revision of the account's budgets at that moment. */
  readonly revision: number;
}
