import type { AttemptRecord, ClaimedDelivery } from '@steward/webhooks';

/** What an attempt came to, whatever it went over. */
export interface AttemptFacts extends Omit<AttemptRecord, 'number' | 'startedAt'> {
  readonly succeeded: boolean;
  /** How long the receiver asks to be left alone after a failure. */
  readonly retryAfterMs: number | undefined;
}

export type ChannelResult =
  | { readonly kind: 'attempted'; readonly facts: AttemptFacts }
  /** Nothing was sent and no attempt is burnt: the fault is on our side (missing event, a secret that does not open). */
  | { readonly kind: 'own_fault'; readonly reason: string; readonly cause?: unknown };

/** One way a delivery goes out. Claims, retries, breakers, dead letters and the history are the engine's, for every channel. */
export interface Channel {
  /** One attempt within the time limit of an attempt. Never rejects. */
  attempt(claim: ClaimedDelivery): Promise<ChannelResult>;
  close(): Promise<void>;
}
