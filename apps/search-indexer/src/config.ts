import { keyLostSetting, setting, workerSettings, type SettingsOf } from '@steward/process';
import { embeddingSettings } from '@steward/search';

/** Settings of the indexer process. Read once at start; `docs/reference/configuration.md` is generated from this table. */
export const searchIndexerSettings = {
  ...workerSettings,
  flushSeconds: setting.number('SESSION_SEARCH_FLUSH_SECONDS', {
    default: 5,
    min: 0.5,
    max: 3600,
    unit: 'seconds',
    description: 'How often new chunks are moved from the pending lists into the search indexes.',
  }),
  retentionDays: setting.integer('SESSION_SEARCH_RETENTION_DAYS', {
    default: 0,
    min: 0,
    max: 36_500,
    unit: 'days',
    description:
      'Age at which content is removed from the search corpus (not from storage); 0 means never. Set SESSION_SEARCH_BACKFILL_MAX_AGE_DAYS below this age; otherwise the sweeper indexes removed content again.',
  }),
  ...embeddingSettings,
  embeddingSecretKey: setting.derivedKey('EMBEDDING_SECRET_KEY', {
    description:
      'Decrypts the keys of embedding providers. Derived from SECRET_KEY, which is not available to this app (npm run derive-keys).',
  }),
  previousEmbeddingSecretKeys: setting.derivedKeyList('EMBEDDING_SECRET_KEY_PREVIOUS', {
    description: 'The same key derived from SECRET_KEY_PREVIOUS, while SECRET_KEY is rotated.',
  }),
  secretKeyLost: keyLostSetting,
  embeddingConcurrency: setting.integer('SESSION_EMBEDDING_CONCURRENCY', {
    default: 4,
    min: 1,
    max: 100,
    unit: 'calls',
    description: 'Maximum number of concurrent calls of this process to embedding providers.',
  }),
  embeddingBatchSize: setting.integer('SESSION_EMBEDDING_BATCH_SIZE', {
    default: 32,
    min: 1,
    max: 1000,
    unit: 'texts',
    description: 'Maximum number of strings per call.',
  }),
  embeddingTimeoutSeconds: setting.number('SESSION_EMBEDDING_TIMEOUT_SECONDS', {
    default: 30,
    min: 0.1,
    max: 600,
    unit: 'seconds',
    description: 'Time limit of one call.',
  }),
  embeddingReconcileSeconds: setting.number('SESSION_EMBEDDING_RECONCILE_SECONDS', {
    default: 60,
    min: 0.5,
    max: 3600,
    unit: 'seconds',
    description: 'How often the indexer checks for chunks whose message it did not receive.',
  }),
} as const;

export type SearchIndexerSettings = SettingsOf<typeof searchIndexerSettings>;
