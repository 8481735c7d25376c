/** Reads the events of its account as a stream, from a program that no sender could reach. */
export interface Listener {
  readonly id: string;
  readonly description: string;
  readonly eventTypes: readonly string[];
  readonly secretHint: string | null;
  readonly createdAt: Date;
  /** Last time that a stream was open. */
  readonly seenAt: Date;
}

/** Takes the place of an endpoint's address: a listener has none. */
export const LISTENER_URL = 'listener:';

/** LIM-103. */
export const MAX_LISTENERS_PER_ACCOUNT = 20;

/** How long events are kept for a listener, how many of them, and how long a listener is kept that nobody listens with (LIM-103). */
export const LISTENER_RETENTION = { eventHours: 72, events: 100_000, unseenDays: 30 } as const;
