import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { BROKER_USERS } from '@steward/contracts';
import { decideSecrets } from './decide-secrets.ts';
import {
  COMPOSE_ADDRESSES,
  listDeploymentFiles,
  type PresentSecrets,
  type ServerAddresses,
} from './deployment-secrets.ts';
import { renderKubernetesSecrets } from './kubernetes-secrets.ts';
import { writeDeploymentFiles } from './write-deployment-files.ts';

const HELP = `npm run derive-keys [-- options]

Writes the secret files of docker-compose.yml: generates missing secrets, derives the key of each app from SECRET_KEY, and writes
every service's login to its own file. A second run does not change anything. The address of the mail server (SMTP_URL) and the keys of
buckets for evidence (EVIDENCE_S3_ACCESS_KEY_ID, EVIDENCE_S3_SECRET_ACCESS_KEY), for the export of the audit log (AUDIT_EXPORT_S3_...)
and for large content (SESSION_CONTENT_S3_...) become files if they are set; later runs keep these files.

  --out FOLDER         folder of the files (default: deploy/secrets)
  --env FILE           file whose values replace those of variables (default: .env, if it exists)
  --new-key            begins a change of SECRET_KEY: generates a new key and keeps the current one as a previous key
  --drop-previous      ends the change: previous keys are no longer accepted. First: npm run rotate-key
  --database ADDRESS   HOST:PORT/NAME of the database (default: that of docker-compose.yml)
  --pooler ADDRESS     HOST:PORT/NAME of a pooler in transaction mode in front of it, such as PgBouncer: DATABASE_URL of the apps
                       is then its address, DATABASE_DIRECT_URL that of the database
  --replica ADDRESS    HOST:PORT/NAME of a hot standby, which answers reads of the gateway (DATABASE_READ_URL)
  --broker URL         address of the broker, without a user (default: that of docker-compose.yml)
  --manifests RELEASE  also writes kubernetes-secrets.yaml: the Secrets of a release of the Helm chart (docs/operate/kubernetes.md)
  --help               print this help

The steps of a key change are in docs/operate/keys.md.`;

interface DeriveKeysPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder to which paths are relative. */
  readonly folder: string;
  readonly print: (line: string) => void;
}

/** Runs `npm run derive-keys`; by default with the environment, the folder and the output of this process. */
export function runDeriveKeys(
  args: readonly string[],
  { env, folder, print }: DeriveKeysPlace = { env: process.env, folder: process.cwd(), print: console.log },
): void {
  const { values } = parseArgs({
    args: [...args],
    options: {
      out: { type: 'string', default: 'deploy/secrets' },
      env: { type: 'string' },
      'new-key': { type: 'boolean', default: false },
      'drop-previous': { type: 'boolean', default: false },
      database: { type: 'string', default: COMPOSE_ADDRESSES.database },
      pooler: { type: 'string' },
      replica: { type: 'string' },
      broker: { type: 'string', default: COMPOSE_ADDRESSES.broker },
      manifests: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    print(HELP);
    return;
  }
  if (values['new-key'] && values['drop-previous']) throw new Error('--new-key and --drop-previous exclude each other');
  const out = resolve(folder, values.out);
  const present = readPresent(out);
  const secrets = decideSecrets({
    given: readGiven(env, folder, values.env),
    present,
    newKey: values['new-key'],
    dropPrevious: values['drop-previous'],
  });
  const files = listDeploymentFiles(secrets, readAddresses(values));
  const manifests =
    values.manifests === undefined
      ? {}
      : {
          'kubernetes-secrets.yaml': renderKubernetesSecrets(values.manifests, { ...readBucketKeys(out), ...files }),
        };
  writeDeploymentFiles(out, { ...files, ...manifests });
  print(`${present === undefined ? 'wrote' : 'updated'} the secret files in ${out}`);
  if (values['new-key']) print('a new SECRET_KEY is in place; restart the apps, then: npm run rotate-key');
}

const DATABASE_ADDRESS = /^[^/@\s]+\/[^/@\s]+$/;

function readAddresses({ database, pooler, replica, broker }: ServerAddresses): ServerAddresses {
  for (const [option, address] of Object.entries({ database, pooler, replica }))
    if (address !== undefined && !DATABASE_ADDRESS.test(address))
      throw new Error(`--${option} is HOST:PORT/NAME, without a user`);
  if (!/^(nats|tls):\/\/[^/@\s]+$/.test(broker)) throw new Error('--broker is nats://HOST:PORT, without a user');
  return { database, pooler, replica, broker };
}

/** Files of an earlier run, which are preserved even if a key is removed from the variables. */
function readBucketKeys(folder: string): Readonly<Record<string, string>> {
  if (!existsSync(folder)) return {};
  const names = readdirSync(folder).filter((name) => /^(?:evidence|audit-export|session-content)-s3-/.test(name));
  return Object.fromEntries(names.map((name) => [name, readFileSync(resolve(folder, name), 'utf8').trim()]));
}

function readGiven(
  env: DeriveKeysPlace['env'],
  folder: string,
  named: string | undefined,
): Readonly<Record<string, string | undefined>> {
  const file = resolve(folder, named ?? '.env');
  if (named === undefined && !existsSync(file)) return env;
  return { ...env, ...parseEnv(readFileSync(file, 'utf8')) };
}

function readPresent(folder: string): PresentSecrets | undefined {
  const read = (name: string): string => readFileSync(resolve(folder, name), 'utf8').trim();
  if (!existsSync(resolve(folder, 'secret-key'))) return undefined;
  return {
    secretKey: read('secret-key'),
    previousSecretKeys: read('secret-key-previous')
      .split('\n')
      .filter((key) => key !== ''),
    postgresPassword: read('postgres-password'),
    rolePasswords: JSON.parse(read('role-passwords')) as Record<string, string>,
    smtpUrl: existsSync(resolve(folder, 'smtp-url')) ? read('smtp-url') : undefined,
    brokerPasswords: Object.fromEntries(
      BROKER_USERS.filter((user) => existsSync(resolve(folder, `nats-url-${user}`))).map((user) => [
        user,
        decodeURIComponent(new URL(read(`nats-url-${user}`)).password),
      ]),
    ),
  };
}
