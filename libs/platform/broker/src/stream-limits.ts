const HOURS = 3600;
const DAYS = 24 * HOURS;
const MIB = 1024 * 1024;

/**
 * A work queue holds unhandled messages. JetStream reserves `maxBytes` on the server's disk when the stream is created,
 * so the sum has to fit small machines: 256 MiB hold about 700,000 messages of this catalog, which are references to
 * rows.
 */
export const WORK_QUEUE_LIMITS = {
  retention: 'work_queue',
  /** A refused publication is counted and logged; a dropped old message would be lost without a trace. */
  whenFull: 'refuse_new',
  maxAgeSeconds: 7 * DAYS,
  maxBytes: 256 * MIB,
  /** Covers retries of a publisher. Handlers are idempotent on their own. */
  duplicateWindowSeconds: 120,
} as const;

/** Dead letters are for people to inspect, so age and size drop the oldest. */
export const DEAD_LETTER_LIMITS = {
  retention: 'limits',
  whenFull: 'drop_old',
  maxAgeSeconds: 30 * DAYS,
  maxBytes: 128 * MIB,
  duplicateWindowSeconds: 120,
} as const;
