import { setting, type Setting } from '@steward/process';

const readUrlSetting: Setting<string | undefined> = {
  ...setting.serverUrl('DATABASE_READ_URL', {
    protocols: ['postgres', 'postgresql'],
    description:
      'A hot standby of the database, for searches and lists: one server, not a name that several answer, and no pooler that shares transactions out to several. Role and TLS as of DATABASE_URL. Default: the primary answers them.',
  }),
  required: false,
};

/** Reads from a replica (PROC-21). */
export const replicaSettings = {
  databaseReadUrl: readUrlSetting,
  databaseReadWaitMs: setting.integer('DATABASE_READ_WAIT_MS', {
    default: 100,
    min: 0,
    max: 5000,
    unit: 'milliseconds',
    description:
      'How long a read waits for the replica to replay what was committed before it; after that the primary answers it.',
  }),
} as const;
