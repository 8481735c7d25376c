import { setting, workerSettings, type SettingsOf } from '@steward/runtime';

/** Settings of the indexer process. Read once at start; `docs/configuration.md` is generated from this table. */
export const searchIndexerSettings = {
  ...workerSettings,
  flushSeconds: setting.number('SESSION_SEARCH_FLUSH_SECONDS', {
    default: 5,
    min: 0.5,
    max: 3600,
    unit: 'seconds',
    description: 'How often new chunks are moved from the pending lists into the search indexes proper.',
  }),
} as const;

export type SearchIndexerSettings = SettingsOf<typeof searchIndexerSettings>;
