const HOURS = 3600;
const DAYS = 24 * HOURS;
const MIB = 1024 * 1024;

/**
 * Limits of a work queue, which holds unhandled messages. JetStream reserves `maxBytes` on the server's disk when the
 * stream is created, so the sum over all streams has to fit on small machines. 256 MiB hold about 700,000 messages,
 * because a message only contains references to rows.
 */
export const WORK_QUEUE_LIMITS = {
  retention: 'work_queue',
  /**
   * A full queue rejects new messages, which is counted and logged, whereas a dropped old message would be lost without
   * any record.
   */
  whenFull: 'refuse_new',
  maxAgeSeconds: 7 * DAYS,
  maxBytes: 256 * MIB,
  /**
   * Time for which duplicates are detected, long enough for the retries of a publisher. Handlers are idempotent in any
   * case.
   */
  duplicateWindowSeconds: 120,
} as const;

/**
 * Limits of dead letters. Only people read dead letters, so it is acceptable that the oldest are dropped when the limit
 * of age or size is reached.
 */
export const DEAD_LETTER_LIMITS = {
  retention: 'limits',
  whenFull: 'drop_old',
  maxAgeSeconds: 30 * DAYS,
  maxBytes: 128 * MIB,
  duplicateWindowSeconds: 120,
} as const;
