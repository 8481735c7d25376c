import { setting, type SettingsOf } from '@steward/runtime';
import type { SessionWriteOptions } from './runtime-session.ts';

/** Settings every process that writes session content reads. */
export const sessionWriteSettings = {
  captureContent: setting.boolean('MODEL_GATEWAY_CAPTURE_CONTENT', {
    default: true,
    description: 'Whether prompt and response bodies of model interactions are kept.',
  }),
  searchIndexEnabled: setting.boolean('SESSION_SEARCH_INDEX_ENABLED', {
    default: true,
    description: 'Whether chunks are written as content is stored.',
  }),
  webhookMaxPendingPerAccount: setting.integer('WEBHOOK_MAX_PENDING_PER_ACCOUNT', {
    default: 10_000,
    min: 1,
    max: 1_000_000,
    unit: 'deliveries',
    description: 'Undelivered rows one account may have in the outbox.',
  }),
} as const;

/** The deployment's settings as the operations on sessions take them. */
export function toSessionWriteOptions(settings: SettingsOf<typeof sessionWriteSettings>): SessionWriteOptions {
  return {
    indexEnabled: settings.searchIndexEnabled,
    captureContent: settings.captureContent,
    maxPendingPerAccount: settings.webhookMaxPendingPerAccount,
  };
}
