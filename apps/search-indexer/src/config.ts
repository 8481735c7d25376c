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
  retentionDays: setting.integer('SESSION_SEARCH_RETENTION_DAYS', {
    default: 0,
    min: 0,
    max: 36_500,
    unit: 'days',
    description:
      'Age at which content leaves the search corpus (not the store); 0 keeps it for ever. Keep SESSION_SEARCH_BACKFILL_MAX_AGE_DAYS below it, or the sweeper brings back what left.',
  }),
} as const;

export type SearchIndexerSettings = SettingsOf<typeof searchIndexerSettings>;
