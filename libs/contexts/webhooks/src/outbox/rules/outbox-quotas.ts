/** One shard of the counter of an account's pending deliveries. */
export interface OutboxShard {
  readonly shard: number;
  /**
   * Number of rows counted in this shard. It may be negative, because a row can be added to one shard and subtracted
   * from another; only the sum over all shards is the number of rows.
   */
  readonly pending: number;
  /** Value of `pending` up to which rows may be added without reading the other shards. */
  readonly quota: number;
  /** Limit for which the quotas were computed; 0 if the quotas must not be used. */
  readonly bound: number;
}

/** Shards of an account whose rows this transaction has locked. */
export interface HeldShards {
  readonly shards: readonly OutboxShard[];
  /**
   * Whether all shards are locked; only then is the number of rows known. Otherwise only the quotas of the locked
   * shards are known.
   */
  readonly complete: boolean;
}

/**
 * Returns the number of further rows that may be added to the locked shards. It is exact if all shards are locked,
 * otherwise a lower bound.
 */
export function computeFree(held: HeldShards, bound: number): number {
  if (held.complete) return bound - sum(held.shards.map(({ pending }) => pending));
  return sum(held.shards.map((shard) => (shard.bound === bound ? shard.quota - shard.pending : 0)));
}

/**
 * Counts `added` rows and redistributes the remaining capacity: if all shards are locked, their quotas then add up to
 * `bound`; otherwise the quotas of the locked shards keep their sum. If the remaining capacity is not enough for
 * `added` further rows in each shard, it is given to fewer shards, so that it can be used.
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
