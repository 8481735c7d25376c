import { AsyncLocalStorage } from 'node:async_hooks';
import { newId } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { systemCallerClock, type CallerClock } from '../caller-clock.ts';
import { AppliedChanges, type IsUnchanged } from '../rules/applied-changes.ts';
import { deleteCallerLease, EVERY_ACCOUNT, insertCallerLease, renewCallerLease } from '../store/caller-lease.store.ts';
import { createLeaseSweep } from './sweep-leases.ts';

/** Lifetime of a lease, and therefore the time that a writer waits for a process that does not react. */
export const LEASE_MS = 2000;
/**
 * A process stops relying on its lease this long before writers stop waiting for the process: on both machines, a clock
 * that is being corrected may run up to a twelfth too fast or too slow.
 */
const MARGIN_MS = 400;
const RENEW_MS = 500;
/**
 * Maximum difference between the progress of the two clocks: beyond it, the process no longer relies on the lease. The
 * maximum is less than the margin: if the machine was suspended for so short a time that this is not detected, the
 * process still stops relying on the lease early enough.
 */
const JUMP_MS = 100;
/** A process that has not used its lease for this long releases it, so that no writer has to wait for the process. */
const IDLE_MS = 10_000;
/** Pause after a failure. */
const RETRY_MS = 1000;
/** Pause between two reports that the lease is in another database. */
const REPORT_MS = 600_000;

export interface CallerLeaseDeps {
  /** Separate connection, so that renewals do not wait for other statements. */
  readonly db: AnyDatabase;
  /**
   * Called before changes are acknowledged, with the changed accounts, or with undefined if every account may have
   * changed.
   */
  readonly onChanged: (accountIds: readonly string[] | undefined) => void;
  readonly onFailure: (error: unknown) => void;
  /**
   * Called if callers are read from a database other than the one with the lease; in this case, no caller is kept
   * (ACC-56).
   */
  readonly onElsewhere?: (() => void) | undefined;
  readonly clock?: CallerClock;
}

/** A read under the lease. */
interface LeasedRead {
  readonly leaseId: string;
  /**
   * Returns whether the result may be kept: the lease is valid, the account has not changed since the read began, and
   * the read did not take too long.
   */
  readonly isUnchanged: IsUnchanged;
}

interface Held {
  readonly id: string;
  /** Snapshot up to which changes have been applied. */
  readonly acked: string;
  /** Monotonic time. */
  readonly validUntil: number;
  /** Wall time minus monotonic time when the lease was last renewed. */
  readonly offset: number;
}

/**
 * Holds the lease under which this process reuses what it has read about callers. After a change, the process that made
 * the change waits until the holders of all leases have applied it, or until their leases have ended
 * (`createAwaitCallers`). All durations are measured on clocks of the process that depends on them.
 */
export class CallerLease {
  readonly #db: AnyDatabase;
  readonly #clock: CallerClock;
  readonly #onChanged: CallerLeaseDeps['onChanged'];
  readonly #onFailure: CallerLeaseDeps['onFailure'];
  readonly #onElsewhere: CallerLeaseDeps['onElsewhere'];
  readonly #changes: AppliedChanges;
  readonly #sweep: () => Promise<void>;
  /** Runs renewals outside the async context of the request that starts them. */
  readonly #outsideRequests = AsyncLocalStorage.snapshot();
  #held: Held | undefined;
  /** Lease that was dropped, and may still be in the database. */
  #formerId: string | undefined;
  /** Lease that was not in the database from which callers were read. */
  #elsewhereId: string | undefined;
  #reportedAt = -Infinity;
  #usedAt = 0;
  #retryAt = -Infinity;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looksAgain = false;
  #isStopped = false;

  constructor({ db, onChanged, onFailure, onElsewhere, clock = systemCallerClock }: CallerLeaseDeps) {
    this.#db = db;
    this.#clock = clock;
    this.#onChanged = onChanged;
    this.#onFailure = onFailure;
    this.#onElsewhere = onElsewhere;
    this.#changes = new AppliedChanges(clock.monotonic);
    this.#sweep = createLeaseSweep(db, clock);
  }

  /** Returns whether everything that was kept is current. Takes a lease for later requests if there is none. */
  use(): boolean {
    this.#usedAt = this.#clock.monotonic();
    if (this.#isValid()) return true;
    if (this.#usedAt >= this.#retryAt) this.#run();
    return false;
  }

  /** Begins a read whose result may be kept; undefined without a lease. */
  beginRead(): LeasedRead | undefined {
    if (!this.#isValid() || this.#held === undefined) return undefined;
    const isUnchanged = this.#changes.beginRead();
    return {
      leaseId: this.#held.id,
      isUnchanged: (accountId) => this.#isValid() && isUnchanged(accountId),
    };
  }

  /**
   * Called if a database that was read did not contain the lease: the lease has ended, or it is in another database.
   */
  noteElsewhere(leaseId: string): void {
    this.#elsewhereId = leaseId;
  }

  /**
   * Queries the changes now, or as soon as the lease that is being taken is held. Called when the database notifies of
   * a change.
   */
  look(): void {
    if (this.#held === undefined && this.#running === undefined) return;
    this.#looksAgain = true;
    this.#run();
  }

  /** Drops the lease and everything that was kept, for example when the connection is lost. */
  drop(): void {
    this.#formerId = this.#held?.id ?? this.#formerId;
    this.#held = undefined;
    this.#changes.noteEverything();
    this.#onChanged(undefined);
  }

  /** Releases the lease. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
    await this.#release().catch(this.#onFailure);
  }

  #isValid(): boolean {
    if (this.#held === undefined) return false;
    const now = this.#clock.monotonic();
    if (Math.abs(this.#clock.wall() - now - this.#held.offset) > JUMP_MS) {
      this.drop();
      return false;
    }
    return now < this.#held.validUntil;
  }

  #apply(changed: readonly string[]): void {
    if (changed.length === 0) return;
    if (changed.includes(EVERY_ACCOUNT)) {
      this.#changes.noteEverything();
      this.#onChanged(undefined);
    } else {
      this.#changes.note(changed);
      this.#onChanged(changed);
    }
  }

  /**
   * Takes or renews the lease. Returns whether another renewal must follow at once, to acknowledge the changes that
   * were applied or to take a new lease.
   */
  async #renew(): Promise<boolean> {
    const own = this.#held;
    const sentAt = this.#clock.monotonic();
    const times = { validUntil: sentAt + LEASE_MS - MARGIN_MS, offset: this.#clock.wall() - sentAt };
    if (own === undefined) {
      const id = newId();
      const acked = await insertCallerLease(this.#db, { id, leaseMs: LEASE_MS, formerId: this.#formerId });
      this.#held = { id, acked, ...times };
      return false;
    }
    const renewal = await renewCallerLease(this.#db, own);
    // The lease was dropped in the meantime.
    if (this.#held !== own) return false;
    if (renewal === undefined) {
      this.drop();
      return true;
    }
    if (own.id === this.#elsewhereId) this.#reportElsewhere();
    this.#apply(renewal.changed);
    this.#held = { id: own.id, acked: renewal.snapshot, ...times };
    return renewal.changed.length > 0;
  }

  /**
   * Reports, at most once per `REPORT_MS`, that the lease, which has just been renewed, is not in the database from
   * which callers are read.
   */
  #reportElsewhere(): void {
    this.#elsewhereId = undefined;
    const now = this.#clock.monotonic();
    if (now - this.#reportedAt < REPORT_MS) return;
    this.#reportedAt = now;
    this.#onElsewhere?.();
  }

  async #release(): Promise<void> {
    const own = this.#held;
    this.drop();
    if (own !== undefined) await deleteCallerLease(this.#db, own.id);
  }

  async #work(): Promise<void> {
    if (this.#clock.monotonic() - this.#usedAt > IDLE_MS) return this.#release();
    do {
      this.#looksAgain = false;
      if (await this.#renew()) this.#looksAgain = true;
    } while (this.#looksAgain && !this.#isStopped);
    await this.#sweep();
  }

  #run(): void {
    if (this.#running !== undefined || this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#running = this.#outsideRequests(() => this.#work())
      .catch((error: unknown) => {
        this.drop();
        this.#retryAt = this.#clock.monotonic() + RETRY_MS;
        this.#onFailure(error);
      })
      .finally(() => this.#continue());
  }

  #continue(): void {
    this.#running = undefined;
    if (this.#isStopped || this.#held === undefined) return;
    if (this.#looksAgain) this.#run();
    else this.#timer = this.#outsideRequests(() => setTimeout(() => this.#run(), RENEW_MS).unref());
  }
}
