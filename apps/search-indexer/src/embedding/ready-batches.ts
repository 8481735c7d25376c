import type { ClaimedBatch, ClaimPlaces } from '@steward/search';

export interface ReadyBatch {
  readonly batch: ClaimedBatch;
  /** Time after which too little of the lease is left for a call. */
  readonly usableUntil: number;
  /** Whether the batch was claimed when no other account was due; it may then use a slot beyond its account's share. */
  readonly isOnlyDue: boolean;
}

/**
 * Batches in progress in a process: ready, then called, then written. An account has at most half of the call slots
 * while other accounts have work, so that one slow provider does not delay others.
 */
export class ReadyBatches {
  readonly #concurrency: number;
  readonly #share: number;
  readonly #ready: ReadyBatch[] = [];
  readonly #calling = new Map<string, number>();
  /** Number of batches that are ready, being called or being written, by account. */
  readonly #held = new Map<string, number>();

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
    this.#share = Math.max(1, Math.floor(concurrency / 2));
  }

  get calling(): number {
    return [...this.#calling.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Number of batches that may be claimed for an account if no other account has work. */
  get room(): number {
    return Math.max(0, this.#concurrency - this.#ready.length);
  }

  /** Describes the batches that may be claimed; returns undefined if the maximum number of batches is ready. */
  describePlaces(): ClaimPlaces | undefined {
    if (this.#ready.length >= this.#concurrency + this.#share) return undefined;
    const waiting = new Map<string, number>();
    for (const { batch } of this.#ready) count(waiting, batch.accountId, 1);
    return { room: this.room, share: this.#share, waiting, busy: [...this.#held.keys()] };
  }

  add(ready: readonly ReadyBatch[]): void {
    this.#ready.push(...ready);
    for (const { batch } of ready) count(this.#held, batch.accountId, 1);
  }

  /**
   * Returns the next batch to embed, which now holds a slot; undefined if there is no free slot, or no batch for it.
   */
  take(): ReadyBatch | undefined {
    if (this.calling >= this.#concurrency) return undefined;
    const isWithinShare = ({ batch }: ReadyBatch): boolean => (this.#calling.get(batch.accountId) ?? 0) < this.#share;
    const within = this.#ready.findIndex(isWithinShare);
    const index = within >= 0 || this.#held.size > 1 ? within : this.#ready.findIndex(({ isOnlyDue }) => isOnlyDue);
    const [next] = index < 0 ? [] : this.#ready.splice(index, 1);
    if (next !== undefined) count(this.#calling, next.batch.accountId, 1);
    return next;
  }

  /** Removes and returns all batches that have no slot. */
  takeRest(): ReadyBatch[] {
    return this.#ready.splice(0);
  }

  leavePlace({ accountId }: ClaimedBatch): void {
    count(this.#calling, accountId, -1);
  }

  /** Removes a batch that was written or released. */
  end({ accountId }: ClaimedBatch): void {
    count(this.#held, accountId, -1);
  }
}

function count(counts: Map<string, number>, key: string, change: number): void {
  const next = (counts.get(key) ?? 0) + change;
  if (next === 0) counts.delete(key);
  else counts.set(key, next);
}
