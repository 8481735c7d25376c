import { formerWorkerKeys, keyLostSetting, setting, workerSettings, type SettingsOf } from '@steward/process';
import { backfillSettings } from '@steward/backfill';
import { contentBucketSettings, LEAST_OBJECT_BYTES } from '@steward/sessions';

/** Defines a setting for the duration of a pass, or for the interval between two passes. */
const upToADay = (variable: string, otherwise: number, description: string) =>
  setting.number(variable, { default: otherwise, min: 0.1, max: 86_400, unit: 'seconds', description });
const rowsOfAPass = (variable: string, otherwise: number, description: string) =>
  setting.integer(variable, { default: otherwise, min: 1, max: 10_000_000, unit: 'rows', description });

const sizeOfObjects = setting.integer('SESSION_CONTENT_OBJECT_BYTES', {
  default: 0,
  min: 0,
  max: 67_108_864,
  unit: 'bytes',
  description:
    'Moves the bodies of content above this size to the bucket of SESSION_CONTENT_S3_ENDPOINT some minutes after they were stored; 0 moves none, otherwise at least 16384. Set it only when all processes are of a version that has this setting (docs/operate/scale.md).',
});

/** Settings of every program that reads or moves bodies in the object store (ADR 0080). */
export const contentStoreSettings = {
  ...contentBucketSettings,
  contentSecretKey: setting.optionalDerivedKey('CONTENT_SECRET_KEY', {
    description:
      'Decrypts the keys of accounts for bodies in the bucket; required with SESSION_CONTENT_S3_ENDPOINT. Derived from SECRET_KEY, which is not available to this app (npm run derive-keys).',
  }),
  previousContentSecretKeys: formerWorkerKeys('CONTENT_SECRET_KEY_PREVIOUS'),
} as const;

/** Settings of the sweeper process (CORP-13 to CORP-16, CORP-30, MASK-10, PROC-25, SESS-25). Read once at startup. */
export const backfillSweeperSettings = {
  ...workerSettings,
  ...backfillSettings,
  ...contentStoreSettings,
  contentObjectBytes: {
    ...sizeOfObjects,
    parse(text: string): number {
      const bytes = sizeOfObjects.parse(text);
      if (bytes > 0 && bytes < LEAST_OBJECT_BYTES) throw new Error(`must be 0 or at least ${LEAST_OBJECT_BYTES}`);
      return bytes;
    },
  },
  maxSeconds: upToADay('SESSION_SEARCH_BACKFILL_MAX_SECONDS', 120, 'Time limit of one pass.'),
  secretKeyLost: keyLostSetting,
  sessionRetentionDays: setting.integer('SESSION_RETENTION_DAYS', {
    default: 0,
    min: 0,
    max: 36_500,
    unit: 'days',
    description:
      'Permanently deletes sessions that were inactive for this long, except those under legal hold. 0 retains all sessions (docs/use/keeping.md).',
  }),
  remaskEnabled: setting.boolean('SESSION_SEARCH_REMASK_ENABLED', {
    default: true,
    description:
      'Masks credentials in stored content that older rules did not recognize, whether or not the history sweeper runs (docs/use/credentials.md).',
  }),
  remaskIntervalSeconds: upToADay(
    'SESSION_SEARCH_REMASK_INTERVAL_SECONDS',
    60,
    'Time between passes that mask stored content again.',
  ),
  remaskMaxRowsPerPass: rowsOfAPass(
    'SESSION_SEARCH_REMASK_MAX_ROWS_PER_PASS',
    5000,
    'Maximum number of rows that one pass masks again in total; at most a quarter of them for one account.',
  ),
  remaskMaxSeconds: upToADay(
    'SESSION_SEARCH_REMASK_MAX_SECONDS',
    20,
    'Time limit of one pass that masks stored content again.',
  ),
  reindexEnabled: setting.boolean('SESSION_SEARCH_REINDEX_ENABLED', {
    default: true,
    description:
      'Indexes chunks again if their words were indexed by an older version, whether or not the history sweeper runs.',
  }),
  reindexIntervalSeconds: upToADay(
    'SESSION_SEARCH_REINDEX_INTERVAL_SECONDS',
    60,
    'Time between passes that index chunks again.',
  ),
  reindexMaxRowsPerPass: rowsOfAPass(
    'SESSION_SEARCH_REINDEX_MAX_ROWS_PER_PASS',
    5000,
    'Maximum number of rows that one pass indexes again in total; at most a quarter of them for one account.',
  ),
  reindexMaxSeconds: upToADay(
    'SESSION_SEARCH_REINDEX_MAX_SECONDS',
    20,
    'Time limit of one pass that indexes chunks again.',
  ),
} as const;

export type BackfillSweeperSettings = SettingsOf<typeof backfillSweeperSettings>;
