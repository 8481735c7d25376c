/** One of the rows that together count an account's undelivered deliveries. */
export interface OutboxShard {
  readonly shard: number;
  /** Signed; only the sum over all shards is the number of rows. */
  readonly pending: number;
  /** Maximum of `pending` without reading the other shards. */
  readonly quota: number;
  /** The limit that the quotas were computed for; 0 if they must not be used. */
  readonly bound: number;
}

/** Shards of an account whose rows this transaction has locked. */
export interface HeldShards {
  readonly shards: readonly OutboxShard[];
  /** All shards are locked: then the number of rows is known. Otherwise only their quotas are known. */
  readonly complete: boolean;
}

/** Number of further rows that the locked shards may count. Exact if all shards are locked, otherwise a lower bound. */
export function computeFree(held: HeldShards, bound: number): number {
  if (held.complete) return bound - sum(held.shards.map(({ pending }) => pending));
  return sum(held.shards.map((shard) => (shard.bound === bound ? shard.quota - shard.pending : 0)));
}

/**
 * Counts `added` rows and redistributes the remaining rows: the quotas of all shards add up to `bound` again, those of
 * a subset of them to their former sum. If the remaining rows are not enough for one such event per shard, fewer shards
 * get them, so that they can be used.
 */
export function dealQuotas(held: HeldShards, bound: number, added: number): OutboxShard[] {
  const shards = held.complete ? held.shards : held.shards.filter((shard) => shard.bound === bound);
  const room = computeFree(held, bound) - added;
  const sharing = Math.max(1, Math.min(shards.length, Math.floor(room / Math.max(1, added))));
  const part = Math.floor(room / sharing);
  const rest = room - part * sharing;
  return shards.map(({ shard, pending: before }, index) => {
    const pending = before + (index === 0 ? added : 0);
    const own = index < sharing ? part + (index < rest ? 1 : 0) : 0;
    return { shard, pending, quota: pending + own, bound };
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
