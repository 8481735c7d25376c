import type { SpendSubject } from '../ledger/spend.ts';

/** A requested change to a lease. Amounts are decimal strings in US dollars. */
export interface LeaseChange extends SpendSubject {
  readonly id: string;
  /** Amount to add to the lease; negative to return part of it. */
  readonly addUsd: string;
  /** Smallest useful addition, in US dollars. */
  readonly unitUsd: string;
  /** True if the process already has this lease. */
  readonly isKnown: boolean;
  /** True if the whole unused amount is returned. */
  readonly closes: boolean;
  /** Data of a call that uses the lease; it is needed for the usage row that is written if the process dies. */
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
   * `assumed`: its process was considered dead, and the leased amount is counted as spent; `gone`: there is no such
   * lease.
   */
  readonly state: 'held' | 'assumed' | 'gone';
  readonly addedUsd: string;
  /** Amount by which the lease exceeds its share of what remains of its budgets. */
  readonly excessUsd: string;
  /** Time of the change, according to the clock of the database. */
  readonly changedAt: Date;
  /** The earliest end of the current periods of the lease's budgets; undefined if none of these periods ends. */
  readonly validUntil: Date | undefined;
  /** Revision of the account's budgets at the time of the change. */
  readonly revision: number;
}
