import { createBackgroundTask, type Component } from '@steward/runtime';
import { purgeLoginFailures } from '@steward/slice-gateway';
import type { GatewayDeps } from '../../gateway-deps.ts';

const EVERY_SECONDS = 600;

/**
 * Removes the counts of failed log-ins whose minute is over. Names that never log in successfully, which anybody can make
 * up, would otherwise stay for ever. Every gateway process may run it.
 */
export function createLoginFailurePurge(deps: Pick<GatewayDeps, 'db' | 'clock' | 'logger'>): Component {
  return createBackgroundTask({
    name: 'login failure purge',
    everySeconds: EVERY_SECONDS,
    logger: deps.logger,
    run: async () => {
      const removed = await purgeLoginFailures(deps.db, deps.clock.now());
      if (removed > 0) deps.logger.debug('login_failures.purged', { removed });
    },
  });
}
