import { isLoopbackHost, type Logger } from '@steward/process';
import type { DispatcherSettings } from '../config.ts';

/**
 * Warns at startup that posts to receivers inside this network are allowed. Does not warn if the dispatcher's own port
 * is open only to this machine, because the installation is then assumed to be a local one on a single machine.
 */
export function warnOfOpenTargets(
  settings: Pick<DispatcherSettings, 'healthHost' | 'webhookBlockPrivateTargets'>,
  logger: Pick<Logger, 'warn'>,
): void {
  if (settings.webhookBlockPrivateTargets || isLoopbackHost(settings.healthHost)) return;
  logger.warn('webhook_targets.unguarded', {
    variable: 'WEBHOOK_BLOCK_PRIVATE_TARGETS',
    reason: 'endpoints may point to addresses in this network; set the variable to true here and on the gateway',
  });
}
