import { AppError } from '@steward/contracts';

/**
 * Error if the broker did not accept the message, for example because there is no connection, no acknowledgement
 * arrived in time, or the stream is full.
 */
export class BrokerUnavailableError extends AppError {
  constructor(reason: string, options: { readonly cause?: unknown } = {}) {
    super('unavailable', {
      message: `The message broker is not available: ${reason}.`,
      retryAfterSeconds: 5,
      ...options,
    });
    this.name = 'BrokerUnavailableError';
  }
}

/**
 * Error if a publisher created a payload that does not conform to its own contract: a bug, never an outage. The message
 * names the path, not the value.
 */
export class InvalidMessageError extends Error {
  constructor(messageName: string, reason: string) {
    super(`${messageName}: ${reason}`);
    this.name = 'InvalidMessageError';
  }
}

/**
 * Thrown by a handler whose work has to be postponed: the message is delivered again after `delayMs`, even if it has
 * already been delivered `maxDeliver` times. Use it for conditions that resolve without intervention; after 20 *
 * `maxDeliver` deliveries, a message becomes a dead letter.
 */
export class RetryLater extends Error {
  readonly delayMs: number;

  constructor(delayMs: number) {
    super(`retry in ${delayMs} ms`);
    this.name = 'RetryLater';
    this.delayMs = delayMs;
  }
}

/** Thrown by a handler if retries would not help: the message is moved to the dead-letter stream with `reason`. */
export class PoisonMessage extends Error {
  constructor(reason: string, options: { readonly cause?: unknown } = {}) {
    super(reason, options);
    this.name = 'PoisonMessage';
  }
}
