import { setting, type SettingsOf } from '@steward/process';
import type { indexSettings } from '@steward/slice-search';
import type { outboxSettings } from '@steward/slice-webhooks';
import type { SessionWriteOptions } from '../sessions/runtime-session.ts';

/** Settings every process that stores content of sessions reads. */
export const contentSettings = {
  captureContent: setting.boolean('MODEL_GATEWAY_CAPTURE_CONTENT', {
    default: true,
    description: 'Whether request and response bodies of model calls are stored.',
  }),
} as const;

/** What of a deployment's settings concerns every write to a session. */
export type SessionWriteSettings = SettingsOf<typeof contentSettings & typeof indexSettings & typeof outboxSettings>;

/** The deployment's settings as the operations on sessions take them. */
export function toSessionWriteOptions(settings: SessionWriteSettings): SessionWriteOptions {
  return {
    indexEnabled: settings.searchIndexEnabled,
    captureContent: settings.captureContent,
    maxPendingPerAccount: settings.webhookMaxPendingPerAccount,
  };
}
