import { setting, type SettingsOf } from '@steward/process';
import type { indexSettings } from '@steward/search';
import type { outboxSettings } from '@steward/webhooks';
import type { ContentObjects } from '../objects/content-objects.ts';
import type { SessionWriteOptions } from '../sessions/runtime-session.ts';

/** Settings of every process that stores content of sessions. */
export const contentSettings = {
  captureContent: setting.boolean('MODEL_GATEWAY_CAPTURE_CONTENT', {
    default: true,
    description: 'Whether request and response bodies of model calls are stored.',
  }),
} as const;

/** Deployment settings that affect every write to a session. */
export type SessionWriteSettings = SettingsOf<typeof contentSettings & typeof indexSettings & typeof outboxSettings>;

/** Converts the deployment's settings to write options of the session operations. */
export function toSessionWriteOptions(
  settings: SessionWriteSettings,
  contentObjects?: ContentObjects,
): SessionWriteOptions {
  return {
    contentObjects,
    indexEnabled: settings.searchIndexEnabled,
    captureContent: settings.captureContent,
    maxPendingPerAccount: settings.webhookMaxPendingPerAccount,
  };
}
