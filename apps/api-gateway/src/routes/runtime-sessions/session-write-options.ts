import type { SessionWriteOptions } from '@steward/slice-gateway';
import type { GatewaySettings } from '../../config.ts';

type WriteSettings = Pick<GatewaySettings, 'searchIndexEnabled' | 'captureContent' | 'webhookMaxPendingPerAccount'>;

/** The deployment's settings as the operations on sessions take them. */
export function toSessionWriteOptions(settings: WriteSettings): SessionWriteOptions {
  return {
    indexEnabled: settings.searchIndexEnabled,
    captureContent: settings.captureContent,
    maxPendingPerAccount: settings.webhookMaxPendingPerAccount,
  };
}
