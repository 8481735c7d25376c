import type { ClaimedBatch, ClaimPlaces } from '@steward/search';

export interface ReadyBatch {
  readonly batch: ClaimedBatch;
  /** Later too little of its lease is left for a call. */
  readonly usableUntil: number;
  /** It was claimed when nobody else was due: it may have a place beyond its account's share. */
  readonly isOnlyDue: boolean;
}

/**
 * Batches on their way through a process: ready, then called, then written. An account has half of the places for calls at
 * most while others have anything to do, so that one slow provider holds nobody else up.
 */
export class ReadyBatches {
  readonly #concurrency: number;
  readonly #share: number;
  readonly #ready: ReadyBatch[] = [];
  readonly #calling = new Map<string, number>();
  /** Ready, called or being written. */
  readonly #held = new Map<string, number>();

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
    this.#share = Math.max(1, Math.floor(concurrency / 2));
  }

  get calling(): number {
    return [...this.#calling.values()].reduce((sum, count) => sum + count, 0);
  }

  /** For an account of whom alone there is work. */
  get room(): number {
    return Math.max(0, this.#concurrency - this.#ready.length);
  }

  /** Undefined: as much is ready as can be, of whomever. */
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

  /** The next to be called, which has its place now; undefined where there is no place, or nobody for it. */
  take(): ReadyBatch | undefined {
    if (this.calling >= this.#concurrency) return undefined;
    const isWithinShare = ({ batch }: ReadyBatch): boolean => (this.#calling.get(batch.accountId) ?? 0) < this.#share;
    const within = this.#ready.findIndex(isWithinShare);
    const index = within >= 0 || this.#held.size > 1 ? within : this.#ready.findIndex(({ isOnlyDue }) => isOnlyDue);
    const [next] = index < 0 ? [] : this.#ready.splice(index, 1);
    if (next !== undefined) count(this.#calling, next.batch.accountId, 1);
    return next;
  }

  /** All that have no place yet. */
  takeRest(): ReadyBatch[] {
    return this.#ready.splice(0);
  }

  leavePlace({ accountId }: ClaimedBatch): void {
    count(this.#calling, accountId, -1);
  }

  /** It was written, or given back. */
  end({ accountId }: ClaimedBatch): void {
    count(this.#held, accountId, -1);
  }
}

function count(counts: Map<string, number>, key: string, change: number): void {
  const next = (counts.get(key) ?? 0) + change;
  if (next === 0) counts.delete(key);
  else counts.set(key, next);
}
