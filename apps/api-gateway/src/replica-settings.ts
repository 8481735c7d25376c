import { setting, type Setting } from '@steward/process';

const readUrlSetting: Setting<string | undefined> = {
  ...setting.serverUrl('DATABASE_READ_URL', {
    protocols: ['postgres', 'postgresql'],
    description:
      'A hot standby of the database, for searches and lists. If the host name resolves to several standbys, each process uses one of them. The URL must not lead to a pooler that distributes transactions over several standbys. The role and the TLS settings are the same as in DATABASE_URL. Default: the primary serves searches and lists.',
  }),
  required: false,
};

/** Settings for reads from a replica (PROC-21). */
export const replicaSettings = {
  databaseReadUrl: readUrlSetting,
  databaseReadWaitMs: setting.integer('DATABASE_READ_WAIT_MS', {
    default: 100,
    min: 0,
    max: 5000,
    unit: 'milliseconds',
    description:
      'How long a read waits for the replica to replay what was committed before the read; after that, the primary serves it.',
  }),
} as const;
