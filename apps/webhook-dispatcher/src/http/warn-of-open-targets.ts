import { isLoopbackHost, type Logger } from '@steward/process';
import type { DispatcherSettings } from '../config.ts';

/**
 * Says at start that receivers inside this network are posted to. The dispatcher does not know who may create endpoints; that its own
 * port is open to other machines tells a deployment from a stack on one machine.
 */
export function warnOfOpenTargets(
  settings: Pick<DispatcherSettings, 'healthHost' | 'webhookBlockPrivateTargets'>,
  logger: Pick<Logger, 'warn'>,
): void {
  if (settings.webhookBlockPrivateTargets || isLoopbackHost(settings.healthHost)) return;
  logger.warn('webhook_targets.unguarded', {
    variable: 'WEBHOOK_BLOCK_PRIVATE_TARGETS',
    reason: 'endpoints may point to addresses in this network; set it to true here and on the gateway',
  });
}
