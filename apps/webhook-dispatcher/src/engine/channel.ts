import type { AttemptRecord, ClaimedDelivery } from '@steward/webhooks';

/** Result of an attempt, in the same form for every channel. */
export interface AttemptFacts extends Omit<AttemptRecord, 'number' | 'startedAt'> {
  readonly succeeded: boolean;
  /** Delay that the receiver requests after a failure. */
  readonly retryAfterMs: number | undefined;
}

export type ChannelResult =
  | { readonly kind: 'attempted'; readonly facts: AttemptFacts }
  /**
   * Nothing was sent and the attempt does not count: the service itself caused the failure (for example a missing
   * event, or a secret that cannot be decrypted).
   */
  | { readonly kind: 'own_fault'; readonly reason: string; readonly cause?: unknown };

/** Facts about an attempt whose connection was not observed. */
export const NOT_MEASURED = {
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  firstByteMs: null,
  remoteAddress: null,
  retryAfterMs: undefined,
} as const;

/** Returns the result of a delivery that is finished without a request, and is not retried. */
export function withhold(reason: string): ChannelResult {
  const error = `not sent: ${reason}`;
  return {
    kind: 'attempted',
    facts: { succeeded: true, responseStatus: null, error, errorClass: null, durationMs: 0, ...NOT_MEASURED },
  };
}

/**
 * A transport of deliveries. Claims, retries, breakers, dead letters and the history belong to the engine, for every
 * channel.
 */
export interface Channel {
  /** Makes one attempt within its time limit; the signature contains the time of its start. Never rejects. */
  attempt(claim: ClaimedDelivery, startedAt: Date): Promise<ChannelResult>;
  close(): Promise<void>;
}
