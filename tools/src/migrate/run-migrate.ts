import { parseArgs } from 'node:util';
import { secureDatabaseUrl, waitForDatabase } from '@steward/database';
import { migrateAll } from '@steward/migrations';
import {
  loadSettings,
  readDatabaseTls,
  readNatsTls,
  setting,
  streamReplicasSetting,
  tlsSettings,
} from '@steward/process';
import { setUpBroker } from '../broker/set-up-broker.ts';

const migrateSettings = {
  databaseUrl: setting.serverUrl('DATABASE_URL', {
    protocols: ['postgres', 'postgresql'],
    description: 'Database to migrate, as a role that may create schemas, extensions and roles.',
  }),
  databaseWaitSeconds: setting.integer('DATABASE_WAIT_SECONDS', {
    default: 0,
    min: 0,
    max: 86_400,
    unit: 'seconds',
    description: 'How long to wait for a database that does not respond yet.',
  }),
  ...tlsSettings.database,
  ...tlsSettings.nats,
  streamReplicas: streamReplicasSetting,
  natsUrl: setting.maskedText('NATS_URL', {
    description:
      'Broker whose streams are also updated to this build, with the credentials of its operator; if not set, the broker is not changed.',
  }),
  rolePasswords: setting.maskedText('DATABASE_ROLE_PASSWORDS', {
    description: 'JSON object role -> password; the named roles can log in afterwards.',
  }),
} as const;

const HELP = `npm run migrate [-- options]

Migrates the database of DATABASE_URL and, if NATS_URL is set, its streams to this version. Can run while apps run, and in several
processes at once.

  --roles-only   only creates the roles of the apps, as needed before a backup is restored into an empty database
  --help         print this help

DATABASE_URL contains the credentials of the owner, NATS_URL those of the operator, DATABASE_ROLE_PASSWORDS a JSON object role
-> password; DATABASE_URL_FILE, ... can name files with these values. For TLS: DATABASE_CA_FILE, NATS_CA_FILE, ... as for the
apps. NATS_STREAM_REPLICAS (1, 3, 5) sets the number of replicas of the streams within a cluster. DATABASE_WAIT_SECONDS sets how
long to wait for a database that does not respond yet.`;

/** Runs `npm run migrate`. */
export async function runMigrate(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'roles-only': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const settings = loadSettings(migrateSettings, process.env);
  const natsTls = readNatsTls(settings);
  const databaseUrl = secureDatabaseUrl(settings.databaseUrl, readDatabaseTls(settings));
  const log = (line: string): void => console.log(line);
  await waitForDatabase(databaseUrl, { seconds: settings.databaseWaitSeconds, log });
  await migrateAll({
    databaseUrl,
    rolePasswords: readPasswords(settings.rolePasswords),
    rolesOnly: values['roles-only'],
    log,
  });
  if (values['roles-only']) {
    console.log('the roles exist');
    return;
  }
  console.log('the database is up to date');
  if (settings.natsUrl === undefined) return;
  await setUpBroker(settings.natsUrl, { tls: natsTls, replicas: settings.streamReplicas });
  console.log('the streams are up to date');
}

function readPasswords(text = '{}'): Record<string, string> {
  try {
    return JSON.parse(text) as Record<string, string>;
  } catch {
    // The parser's own message quotes its input.
    throw new Error('DATABASE_ROLE_PASSWORDS is not a JSON object');
  }
}
