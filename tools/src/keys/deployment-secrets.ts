import { BROKER_USERS } from '@steward/contracts';
import { deriveKeys, KEY_PURPOSES } from '@steward/crypto';
import { APP_ROLES } from '@steward/database';
import { renderNatsConfig } from '@steward/local-servers';
import { buildBrokerUrl, listBrokerUsers, type BrokerPasswords } from '../broker/broker-users.ts';

/** Values of a deployment that are chosen by a person or a generator; everything else is derived from them. */
export interface DeploymentSecrets {
  readonly secretKey: string;
  /** Previous keys, which are still accepted during a rotation of SECRET_KEY. */
  readonly previousSecretKeys: readonly string[];
  readonly postgresPassword: string;
  /** Passwords by database role. */
  readonly rolePasswords: Readonly<Record<string, string>>;
  /** Passwords by user of the broker. */
  readonly brokerPasswords: BrokerPasswords;
  /** URL of the mail server, including its password; undefined if no mail is sent. */
  readonly smtpUrl?: string | undefined;
  /** Key of the evidence bucket, if a person entered one that was created by its server. */
  readonly evidenceKey?: BucketKey | undefined;
  /** Key of the bucket to which the audit log is exported, likewise. */
  readonly auditExportKey?: BucketKey | undefined;
  /** Key of the bucket with large content, likewise. */
  readonly contentKey?: BucketKey | undefined;
}

export interface BucketKey {
  readonly id: string;
  readonly secret: string;
}

/** Secrets in the files of an earlier run; those of an older release contain no users of the broker. */
export type PresentSecrets = Omit<
  DeploymentSecrets,
  'brokerPasswords' | 'evidenceKey' | 'auditExportKey' | 'contentKey'
> & {
  readonly brokerPasswords: Partial<BrokerPasswords>;
};

/** Addresses at which apps reach the two servers. */
export interface ServerAddresses {
  /** Address and name of the database: HOST:PORT/NAME. */
  readonly database: string;
  /** Address of a pooler in front of the database (HOST:PORT/NAME), which apps use for work that needs no session. */
  readonly pooler?: string | undefined;
  /** HOST:PORT/NAME of a standby, which serves reads of the gateway. */
  readonly replica?: string | undefined;
  readonly broker: string;
}

/** Addresses in docker-compose.yml. */
export const COMPOSE_ADDRESSES: ServerAddresses = { database: 'postgres:5432/steward', broker: 'nats://nats:4222' };
const OWNER = 'steward';
/**
 * Apps that get separate files with the key of the bucket, so that the gateway, which only reads, can have a read-only
 * key.
 */
const EVIDENCE_APPS = ['api-gateway', 'flow-trigger'];
const AUDIT_EXPORT_APPS = ['api-gateway'];
const CONTENT_APPS = ['api-gateway', 'backfill-sweeper'];

/** Variables of a `.env` file with the passwords of the roles. */
export const ROLE_VARIABLES: Readonly<Record<string, string>> = {
  API_GATEWAY_DB_PASSWORD: APP_ROLES.apiGateway,
  SEARCH_INDEXER_DB_PASSWORD: APP_ROLES.searchIndexer,
  WEBHOOK_DISPATCHER_DB_PASSWORD: APP_ROLES.webhookDispatcher,
  FLOW_TRIGGER_DB_PASSWORD: APP_ROLES.flowTrigger,
  BACKFILL_SWEEPER_DB_PASSWORD: APP_ROLES.backfillSweeper,
};

/** Lists the contents of the secret files that the compose files name: every service gets only its own files. */
export function listDeploymentFiles(
  secrets: DeploymentSecrets,
  addresses: ServerAddresses = COMPOSE_ADDRESSES,
): Readonly<Record<string, string>> {
  const { secretKey, previousSecretKeys, postgresPassword, rolePasswords, brokerPasswords, smtpUrl } = secrets;
  const { database, pooler, replica } = addresses;
  const databaseUrls = Object.entries(rolePasswords).flatMap(([role, password]) => {
    const app = role.replace(/^steward_/, '').replaceAll('_', '-');
    return [
      [`database-url-${app}`, buildDatabaseUrl(pooler ?? database, role, password)],
      ...(pooler === undefined ? [] : [[`database-direct-url-${app}`, buildDatabaseUrl(database, role, password)]]),
    ];
  });
  const gatewayPassword = rolePasswords[APP_ROLES.apiGateway];
  const readUrl =
    replica === undefined || gatewayPassword === undefined
      ? {}
      : { 'database-read-url-api-gateway': buildDatabaseUrl(replica, APP_ROLES.apiGateway, gatewayPassword) };
  const bucketKeys = {
    ...bucketKeyFiles('evidence-s3', EVIDENCE_APPS, secrets.evidenceKey),
    ...bucketKeyFiles('audit-export-s3', AUDIT_EXPORT_APPS, secrets.auditExportKey),
    ...bucketKeyFiles('session-content-s3', CONTENT_APPS, secrets.contentKey),
  };
  const brokerUrls = BROKER_USERS.map((user) => [
    `nats-url-${user}`,
    buildBrokerUrl(addresses.broker, user, brokerPasswords),
  ]);
  return {
    'secret-key': secretKey,
    'secret-key-previous': previousSecretKeys.join('\n'),
    ...keyFiles('endpoint-secret-key', KEY_PURPOSES.endpoint),
    ...keyFiles('flow-secret-key', KEY_PURPOSES.flowAgent),
    ...keyFiles('embedding-secret-key', KEY_PURPOSES.embedding),
    ...keyFiles('content-secret-key', KEY_PURPOSES.sessionContent),
    'smtp-url': smtpUrl ?? '',
    'postgres-password': postgresPassword,
    'role-passwords': JSON.stringify(rolePasswords),
    'database-url-owner': buildDatabaseUrl(database, OWNER, postgresPassword),
    ...(Object.fromEntries([...databaseUrls, ...brokerUrls]) as Record<string, string>),
    ...readUrl,
    // The existing content of these files is preserved.
    ...bucketKeys,
    // The first line enables monitoring for the container's own health check.
    'nats-config': `http: "127.0.0.1:8222"\n${renderNatsConfig(listBrokerUsers((user) => brokerPasswords[user]))}`,
  };

  function keyFiles(name: string, purpose: string): Record<string, string> {
    return {
      [name]: deriveKeys([secretKey], purpose).join('\n'),
      [`${name}-previous`]: deriveKeys(previousSecretKeys, purpose).join('\n'),
    };
  }
}

function bucketKeyFiles(
  name: string,
  apps: readonly string[],
  key: BucketKey | undefined,
): Readonly<Record<string, string>> {
  if (key === undefined) return {};
  return Object.fromEntries(
    apps.flatMap((app) => [
      [`${name}-access-key-id-${app}`, key.id],
      [`${name}-secret-access-key-${app}`, key.secret],
    ]),
  );
}

/** Builds the URL of a login. The password is encoded, since it may contain any character. */
function buildDatabaseUrl(address: string, user: string, password: string): string {
  return `postgres://${user}:${encodeURIComponent(password)}@${address}`;
}
