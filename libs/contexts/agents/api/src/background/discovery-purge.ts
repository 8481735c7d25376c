import type { Clock } from '@steward/async';
import type { AnyDatabase } from '@steward/database';
import { createBackgroundTask, type Component, type Logger } from '@steward/process';
import { purgeCandidates } from '@steward/agents';

const EVERY_SECONDS = 3_600;

export interface DiscoveryPurgeDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Creates the task that removes discovery candidates that are no longer reported. Every gateway process may run it. */
export function createDiscoveryPurge({ db, clock, logger }: DiscoveryPurgeDeps): Component {
  return createBackgroundTask({
    name: 'discovery purge',
    everySeconds: EVERY_SECONDS,
    logger,
    run: async () => {
      const candidates = await purgeCandidates(db, clock.now());
      if (candidates > 0) logger.debug('discovery.purged', { candidates });
    },
  });
}
