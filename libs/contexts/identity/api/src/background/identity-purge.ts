import type { Clock } from '@steward/async';
import type { AnyDatabase } from '@steward/database';
import { createBackgroundTask, type Component, type Logger } from '@steward/process';
import { purgeReadWindows } from '@steward/audit';
import { purgeIdentity } from '@steward/identity';

const EVERY_SECONDS = 600;

export interface IdentityPurgeDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Creates the task that removes expired logins, invitations, counts of failed logins, and windows in which repeated
 * reads share one audit row. Every gateway process may run it.
 */
export function createIdentityPurge(deps: IdentityPurgeDeps): Component {
  return createBackgroundTask({
    name: 'identity purge',
    everySeconds: EVERY_SECONDS,
    logger: deps.logger,
    run: async () => {
      const now = deps.clock.now();
      const purged = { ...(await purgeIdentity(deps.db, now)), reads: await purgeReadWindows(deps.db, now) };
      if (Object.values(purged).some((count) => count > 0)) deps.logger.debug('identity.purged', purged);
    },
  });
}
