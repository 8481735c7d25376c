import { isLoopbackHost, type Logger } from '@steward/process';
import type { GatewaySettings } from './config.ts';

export type OpenSettings = Pick<
  GatewaySettings,
  'host' | 'trustedProxies' | 'webhookBlockPrivateTargets' | 'registrationEnabled'
>;

/**
 * Warns at startup about settings that are unsafe if other machines can reach this gateway. No warning is logged if the
 * gateway listens on the loopback address, unless the gateway is behind a proxy, through which other machines can
 * connect.
 */
export function warnOfOpenSettings(settings: OpenSettings, logger: Pick<Logger, 'warn'>): void {
  const { host } = settings;
  if (isLoopbackHost(host) && settings.trustedProxies.length === 0) return;
  if (!settings.webhookBlockPrivateTargets) {
    logger.warn('webhook_targets.unguarded', {
      variable: 'WEBHOOK_BLOCK_PRIVATE_TARGETS',
      host,
      reason:
        'anyone who may create an endpoint can reach addresses in this network; set the variable to true here and on the dispatcher',
    });
  }
  if (settings.registrationEnabled === 'true') {
    logger.warn('registration.open', {
      variable: 'REGISTRATION_ENABLED',
      host,
      reason: 'anyone who can reach this address can create an account; set it to first or false to prevent this',
    });
  }
}
