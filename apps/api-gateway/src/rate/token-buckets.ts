/** Budgets of one kind, one bucket per key, in the memory of this process. */
export interface TokenBuckets {
  /** Seconds until the key has a token; 0 when it has one now. Takes nothing. */
  secondsUntilToken(key: string): number;
  /** Takes one token, if there is one. */
  take(key: string): void;
  /** Whole tokens the key has had since it was last asked for, and the seconds until it has all of them. */
  read(key: string): { readonly tokens: number; readonly secondsUntilFull: number };
}

export interface TokenBucketOptions {
  /** Refill, and the most a rested bucket holds: nobody gets more than this at once. */
  readonly perMinute: number;
  /** Keys remembered; past it the one unused for longest is forgotten, and with it what it had spent. */
  readonly maxKeys: number;
  /** Milliseconds of a clock that never goes back. */
  readonly nowMs: () => number;
}

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** Token buckets, refilled continuously: no minute border at which twice the budget fits through. */
export function createTokenBuckets(options: TokenBucketOptions): TokenBuckets {
  const perMs = options.perMinute / 60_000;
  // A Map keeps insertion order; a bucket touched is put back at the end, so the first one is the oldest.
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
      // Callers have asked before taking: another refill would find nothing.
      const bucket = buckets.get(key) ?? refill(key);
      if (bucket.tokens >= 1) bucket.tokens -= 1;
    },
    read(key) {
      const { tokens } = buckets.get(key) ?? refill(key);
      return { tokens: Math.floor(tokens), secondsUntilFull: Math.ceil((options.perMinute - tokens) / perMs / 1000) };
    },
  };
}
