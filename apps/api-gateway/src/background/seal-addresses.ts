import { createBackgroundTask, type Component, type Logger } from '@steward/process';

/** A gateway of the release before may still run beside this one for a while: it stores in clear, and reads no sealed address. */
const EVERY_SECONDS = 600;

export interface SealAddressesOptions {
  readonly of: 'endpoints' | 'workflows' | 'tool servers';
  /** Answers how many rows it sealed. */
  readonly seal: (signal: AbortSignal) => Promise<number>;
  readonly logger: Logger;
}

/** Seals the addresses that an earlier release stored in clear (ACC-48): only a gateway has the key for it. */
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
