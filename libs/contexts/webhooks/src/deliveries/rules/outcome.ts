/** State of a delivery after one attempt. */
export type AttemptVerdict = 'delivered' | 'failed' | 'dead';

/**
 * Data of one attempt: one row of the attempt log. Durations are in milliseconds; the duration of a phase that the
 * attempt did not reach is null.
 */
export interface AttemptRecord {
  /** Number of the attempt, starting at 1. */
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
  /** The beginning of the response body, if the endpoint is configured to store it. */
  readonly answer?: string | null;
}

export interface DeliveryOutcome {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly claimToken: string;
  readonly urlVersion: number;
  /** True for the only attempt that was allowed while the breaker was half open. */
  readonly isProbe: boolean;
  readonly verdict: AttemptVerdict;
  /** Delay until the next attempt in milliseconds; undefined unless the verdict is `failed`. */
  readonly retryDelayMs: number | undefined;
  readonly attempt: AttemptRecord;
}
