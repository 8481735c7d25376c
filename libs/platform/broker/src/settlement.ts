import { PoisonMessage, RetryLater } from './broker-errors.ts';

/** Action on a message after its handler ended. */
export type Settlement =
  | { readonly kind: 'ack' }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'dead_letter'; readonly reason: string };

/** Returns the delay in milliseconds before the next delivery; `deliveryCount` is 1 after the first failure. */
export type RetryDelay = (deliveryCount: number) => number;

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 60_000;

/**
 * Returns the default delay: 1 s, 2 s, 4 s ... at most 60 s. The exponent is limited, so that the power does not
 * overflow.
 */
export function computeRetryDelay(deliveryCount: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(deliveryCount - 1, 16));
}

/**
 * Returns the action for a thrown error: `RetryLater` delays the message, `PoisonMessage` makes it a dead letter at
 * once, and any other error counts as a failure.
 */
export function settleFailure(
  error: unknown,
  delivery: { readonly deliveryCount: number; readonly maxDeliver: number; readonly retryDelay: RetryDelay },
): Settlement {
  if (error instanceof PoisonMessage) return { kind: 'dead_letter', reason: error.message };
  if (error instanceof RetryLater) return { kind: 'retry', delayMs: error.delayMs };
  if (delivery.deliveryCount < delivery.maxDeliver) {
    return { kind: 'retry', delayMs: delivery.retryDelay(delivery.deliveryCount) };
  }
  const last = error instanceof Error ? error.message : String(error);
  return { kind: 'dead_letter', reason: `failed ${delivery.deliveryCount} times, last error: ${last}` };
}

/**
 * Returns the number of deliveries after which a message becomes a dead letter without another call of the handler.
 * This limit is for messages whose handler crashes the process: `settleFailure` is never called for them. The number is
 * much higher than `maxDeliver`, because `RetryLater` also causes deliveries.
 */
export function computeDeliveryCeiling(maxDeliver: number): number {
  return maxDeliver * 20;
}
