import { stringify } from 'yaml';

/**
 * For each app in the Helm chart, the app-specific files of `derive-keys` that its Secret contains, by their key in the
 * Secret.
 */
const FILES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'api-gateway': { 'secret-key': 'secret-key', 'secret-key-previous': 'secret-key-previous' },
  'search-indexer': {
    'embedding-secret-key': 'embedding-secret-key',
    'embedding-secret-key-previous': 'embedding-secret-key-previous',
  },
  'webhook-dispatcher': {
    'endpoint-secret-key': 'endpoint-secret-key',
    'endpoint-secret-key-previous': 'endpoint-secret-key-previous',
    'smtp-url': 'smtp-url',
  },
  'flow-trigger': { 'flow-secret-key': 'flow-secret-key', 'flow-secret-key-previous': 'flow-secret-key-previous' },
  'backfill-sweeper': {
    'content-secret-key': 'content-secret-key',
    'content-secret-key-previous': 'content-secret-key-previous',
  },
};
/** Present only if there are buckets (evidence, audit log, content), a pooler, and a standby for reads of the gateway. */
const GIVEN_KEYS = [
  'evidence-s3-access-key-id',
  'evidence-s3-secret-access-key',
  'audit-export-s3-access-key-id',
  'audit-export-s3-secret-access-key',
  'session-content-s3-access-key-id',
  'session-content-s3-secret-access-key',
  'database-direct-url',
  'database-read-url',
];

/**
 * Renders the Secrets of a release of the Helm chart from the files of `derive-keys`: one for each login, one for the
 * owner of the database in CloudNativePG, and one with the users of the broker.
 */
export function renderKubernetesSecrets(release: string, files: Readonly<Record<string, string>>): string {
  // The chart uses this name for its objects.
  const prefix = release.includes('steward') ? release : `${release}-steward`;
  const read = (name: string): string => {
    const content = files[name];
    if (content === undefined) throw new Error(`there is no secret file ${name}`);
    return content;
  };
  const logins = Object.entries(FILES).map(([app, own]) => {
    const named = { 'database-url': `database-url-${app}`, 'nats-url': `nats-url-${app}`, ...own };
    const given = GIVEN_KEYS.filter((key) => files[`${key}-${app}`] !== undefined);
    return renderSecret(`${prefix}-${app}`, 'Opaque', {
      ...Object.fromEntries(Object.entries(named).map(([key, file]) => [key, read(file)])),
      ...Object.fromEntries(given.map((key) => [key, read(`${key}-${app}`)])),
    });
  });
  return [
    ...logins,
    renderSecret(`${prefix}-migrate`, 'Opaque', {
      'database-url': read('database-url-owner'),
      'role-passwords': read('role-passwords'),
      'nats-url': read('nats-url-operator'),
    }),
    renderSecret(`${prefix}-postgres-owner`, 'kubernetes.io/basic-auth', {
      username: 'steward',
      password: read('postgres-password'),
    }),
    renderSecret(`${prefix}-nats-users`, 'Opaque', { 'nats-users.conf': dropMonitoring(read('nats-config')) }),
  ].join('---\n');
}

function renderSecret(name: string, type: string, stringData: Readonly<Record<string, string>>): string {
  return stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, type, stringData }, { lineWidth: 0 });
}

/** Removes the listen address of monitoring, which the broker's own chart sets. */
function dropMonitoring(config: string): string {
  return config.replace(/^http: .*\n/, '');
}
