import { createBackgroundTask, type Component, type Logger } from '@steward/process';

/**
 * Interval of the task, and delay before its first run. A gateway of the previous release may still be running for a
 * while: it cannot read sealed addresses, so the task starts late; it stores plaintext, so the task is repeated.
 */
const EVERY_SECONDS = 600;

export interface SealAddressesOptions {
  readonly of: 'endpoints' | 'workflows' | 'tool servers';
  /** Returns the number of sealed rows. */
  readonly seal: (signal: AbortSignal) => Promise<number>;
  readonly logger: Logger;
}

/**
 * Creates the task that seals addresses that an earlier release stored in plaintext (ACC-48). A migration cannot do
 * this, because only a gateway has the key.
 */
export function createSealAddresses({ of, seal, logger }: SealAddressesOptions): Component {
  return createBackgroundTask({
    name: `seal addresses of ${of}`,
    everySeconds: EVERY_SECONDS,
    startsLate: true,
    logger,
    run: async (signal) => {
      const rows = await seal(signal);
      if (rows > 0) logger.info('addresses.sealed', { of, rows });
    },
  });
}
