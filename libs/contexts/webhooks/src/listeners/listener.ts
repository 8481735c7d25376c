/** A receiver that reads the events of its account as a stream, for programs that HTTP requests cannot reach. */
export interface Listener {
  readonly id: string;
  readonly description: string;
  readonly eventTypes: readonly string[];
  readonly secretHint: string | null;
  readonly createdAt: Date;
  /** Last time at which a stream was known to be open. */
  readonly seenAt: Date;
}

/** Value stored as the URL of the endpoint of each listener, because a listener has no address. */
export const LISTENER_URL = 'listener:';

/** Maximum number of listeners per account (LIM-103). */
export const MAX_LISTENERS_PER_ACCOUNT = 20;

/**
 * Time for which events are retained for a listener, their maximum number, and the time for which an unused listener is
 * retained (LIM-103).
 */
export const LISTENER_RETENTION = { eventHours: 72, events: 100_000, unseenDays: 30 } as const;
