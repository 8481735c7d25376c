/** Budgets of one kind, one bucket per key, in the memory of this process. */
export interface TokenBuckets {
  /** Returns the seconds until the key has a token; 0 if it has one now. Does not take a token. */
  secondsUntilToken(key: string): number;
  /** Takes one token, if there is one. */
  take(key: string): void;
  /**
   * Returns the number of whole tokens that the key had after its last use, and the seconds until its bucket is full.
   */
  read(key: string): { readonly tokens: number; readonly secondsUntilFull: number };
}

export interface TokenBucketOptions {
  /** Refill rate, and the capacity of a bucket. */
  readonly perMinute: number;
  /** Maximum number of keys; beyond it, the least recently used key is evicted together with its bucket. */
  readonly maxKeys: number;
  /** Returns the time of a monotonic clock in milliseconds. */
  readonly nowMs: () => number;
}

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/**
 * Creates token buckets, which are refilled continuously: there is no minute boundary at which twice the budget could
 * be used.
 */
export function createTokenBuckets(options: TokenBucketOptions): TokenBuckets {
  const perMs = options.perMinute / 60_000;
  // A Map keeps insertion order; a used bucket is moved to the end, so the first one is the oldest.
  const buckets = new Map<string, Bucket>();

  function refill(key: string): Bucket {
    const nowMs = options.nowMs();
    const former = buckets.get(key);
    const bucket = former ?? { tokens: options.perMinute, filledAtMs: nowMs };
    bucket.tokens = Math.min(options.perMinute, bucket.tokens + (nowMs - bucket.filledAtMs) * perMs);
    bucket.filledAtMs = nowMs;
    if (former !== undefined) buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > options.maxKeys) {
      const oldest = buckets.keys().next().value;
      if (oldest !== undefined) buckets.delete(oldest);
    }
    return bucket;
  }

  return {
    secondsUntilToken(key) {
      const { tokens } = refill(key);
      return tokens >= 1 ? 0 : Math.ceil((1 - tokens) / perMs / 1000);
    },
    take(key) {
      // Callers have just called `secondsUntilToken`, which refills the bucket, so another refill would not add a
      // token.
      const bucket = buckets.get(key) ?? refill(key);
      if (bucket.tokens >= 1) bucket.tokens -= 1;
    },
    read(key) {
      const { tokens } = buckets.get(key) ?? refill(key);
      return { tokens: Math.floor(tokens), secondsUntilFull: Math.ceil((options.perMinute - tokens) / perMs / 1000) };
    },
  };
}
