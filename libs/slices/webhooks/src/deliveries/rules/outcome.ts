/** Where one attempt leaves its delivery. */
export type AttemptVerdict = 'delivered' | 'failed' | 'dead';

/** What happened on the wire; one row of the attempt log. Milliseconds; null where the attempt did not get that far. */
export interface AttemptRecord {
  /** 1-based. */
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  readonly firstByteMs: number | null;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly errorClass: string | null;
  readonly remoteAddress: string | null;
}

export interface DeliveryOutcome {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly claimToken: string;
  readonly urlVersion: number;
  /** The one attempt let through while the breaker was half open. */
  readonly isProbe: boolean;
  readonly verdict: AttemptVerdict;
  /** Wait until the next attempt; only for `failed`. */
  readonly retryDelayMs: number | undefined;
  readonly attempt: AttemptRecord;
}
