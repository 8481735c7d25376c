import { newId } from '@steward/crypto';
import type { ChangedLease, LeaseChange, SpendRequest } from '@steward/budgets';
import { fromPico, toPico } from '@steward/money';

/** A call that was granted from a lease, until it has a separate reservation or has ended. */
export interface Drawn {
  readonly request: SpendRequest;
  readonly pico: bigint;
  readonly occurredAt: Date;
  /** Time when it was granted, in milliseconds of a monotonic clock. */
  readonly drawnAtMs: number;
  /**
   * Settles when the statement that gives the call a separate reservation has ended; undefined before that statement.
   */
  recording: Promise<unknown> | undefined;
  isEnding: boolean;
}

/** Last part of a lease's lifetime, in which it is not used, because the statement that extends it may be late. */
const SAFETY_MS = 30_000;

/**
 * A part of the budgets that this process leases in advance for calls of one kind. The sum of the free part and the
 * amounts of calls never exceeds the amount that the database reserves for the lease.
 */
export class Lease {
  readonly id = newId();
  readonly drawn = new Map<string, Drawn>();
  /** The request for which the lease was made. */
  readonly request: SpendRequest;
  #free = 0n;
  /** Part that has to be released, as reported by the database. */
  #excess = 0n;
  #isRetired = false;
  /** The local monotonic clock and the clock of the database at the same moment. */
  #sync = { localMs: 0, databaseMs: 0 };
  #aliveUntilMs = 0;
  #validUntilMs = Infinity;
  #revision = Number.NaN;
  #isKnown = false;

  constructor(request: SpendRequest) {
    this.request = request;
  }

  get isKnown(): boolean {
    return this.#isKnown;
  }

  get isRetired(): boolean {
    return this.#isRetired;
  }

  get free(): bigint {
    return this.#free;
  }

  /** Returns the time of the database, as estimated by this process. */
  readNow(localMs: number): number {
    return this.#sync.databaseMs + (localMs - this.#sync.localMs);
  }

  /**
   * Returns true if calls may be granted from the lease.
   * @param now - Time of the database
   */
  isUsable(now: number, revision: number | undefined): boolean {
    return !this.#isRetired && this.#revision === revision && now < this.#validUntilMs && this.isSafelyAlive(now);
  }

  isSafelyAlive(now: number): boolean {
    return now < this.#aliveUntilMs - SAFETY_MS;
  }

  /** Grants a call; returns false if too little is left. */
  draw(id: string, drawn: Drawn): boolean {
    if (drawn.pico > this.#free) return false;
    this.#free -= drawn.pico;
    this.drawn.set(id, drawn);
    return true;
  }

  /** Ends the use of the lease: no further call is granted from it. */
  retire(): void {
    this.#isRetired = true;
    this.#free = 0n;
  }

  /**
   * Returns the change after which approximately the amount `wanted` is free; undefined if no change is needed. A part
   * that will be released stops being free at once.
   */
  plan(wanted: bigint, unit: bigint, mustConfirm: boolean): LeaseChange | undefined {
    const closes = this.#isRetired && this.drawn.size === 0;
    const most = this.#free - this.#excess;
    let add = 0n;
    if (!this.#isRetired) {
      if (this.#excess > 0n || this.#free > 2n * wanted) add = minimum(wanted, maximum(most, 0n)) - this.#free;
      else if (2n * this.#free < wanted) add = wanted - this.#free;
    }
    if (add === 0n && !closes && !mustConfirm) return undefined;
    if (add < 0n) this.#free += add;
    const [addUsd, unitUsd] = [fromPico(add), fromPico(unit)];
    const { apiKeyId, managedAgentId, flowId, modelAlias } = this.request;
    const call = { ...this.request.call, input_tokens: 0, output_tokens: 0 };
    const subject = { apiKeyId, managedAgentId, flowId, modelAlias };
    return { ...subject, id: this.id, addUsd, unitUsd, isKnown: this.#isKnown, closes, call };
  }

  /**
   * Applies the change that the database made.
   * @param sentAtMs - Time when the statement was sent, by the local clock
   */
  take(
    plan: LeaseChange,
    changed: ChangedLease,
    { sentAtMs, aliveMs }: { readonly sentAtMs: number; readonly aliveMs: number },
  ): void {
    const planned = toPico(plan.addUsd);
    const added = toPico(changed.addedUsd);
    this.#isKnown = true;
    this.#excess = toPico(changed.excessUsd);
    this.#sync = { localMs: sentAtMs, databaseMs: changed.changedAt.getTime() };
    this.#aliveUntilMs = this.#sync.databaseMs + aliveMs;
    this.#validUntilMs = changed.validUntil?.getTime() ?? Infinity;
    if (Number.isNaN(this.#revision)) this.#revision = changed.revision;
    else if (this.#revision !== changed.revision) this.retire();
    if (!this.#isRetired) this.#free += planned < 0n ? added - planned : added;
  }
}

function minimum(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function maximum(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
