import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import pg from 'pg';
import { readServerChoices, startPostgres } from '@steward/local-servers';
import {
  bareEnvironment,
  createTestCertificates,
  releaseAfterAll,
  startTestBroker,
  type TestCertificate,
} from '@steward/testing';
import { connectClient } from '../servers/connect-client.ts';
import { APPS, WORKSPACE_ROOT } from '../workspace.ts';
import { describeOwnDatabase } from './own-database.ts';
import { runToEnd } from './run-to-end.ts';
import { startSuite, type Suite } from './start-suite.ts';
import { START_TIMEOUT_MS } from './suite-apps.ts';

describe('servers that require TLS and client certificates', () => {
  const scratch = mkdtempSync(resolve(tmpdir(), 'steward-tls-'));
  const certificates = createTestCertificates();
  const release = releaseAfterAll();
  const path = (name: string): string => resolve(scratch, name);
  let suite: Suite;
  let tls: Record<string, string>;
  let migrated: { readonly code: number | null; readonly text: string };

  function write(name: string, { cert, key }: TestCertificate): { readonly cert: string; readonly key: string } {
    writeFileSync(path(`${name}.pem`), cert);
    writeFileSync(path(`${name}.key`), key, { mode: 0o600 });
    return { cert: path(`${name}.pem`), key: path(`${name}.key`) };
  }

  beforeAll(async () => {
    release(() => rmSync(scratch, { recursive: true, force: true }));
    writeFileSync(path('ca.pem'), certificates.authority);
    const client = write('client', certificates.issue('steward.example.test'));
    write('stranger', certificates.issueSelfSigned('steward.example.test'));
    tls = Object.fromEntries(
      ['DATABASE', 'NATS'].flatMap((server) => [
        [`${server}_CA_FILE`, path('ca.pem')],
        [`${server}_CERT_FILE`, client.cert],
        [`${server}_KEY_FILE`, client.key],
      ]),
    );
    const postgres = await startPostgres({
      dataDirectory: path('postgres'),
      durable: false,
      ...readServerChoices(process.env),
      progress: () => undefined,
    });
    release(() => postgres.stop());
    const database = new URL(postgres.url);
    await demandTls(postgres.url, certificates.issue(database.hostname), certificates.authority);
    const broker = await startTestBroker({
      tls: (host) => ({ ...certificates.issue(host), authority: certificates.authority }),
    });
    release(() => broker.stop());
    database.pathname = '/steward';
    const given = describeOwnDatabase(database);
    migrated = migrate({
      ...tls,
      DATABASE_URL: database.href,
      NATS_URL: broker.url,
      DATABASE_ROLE_PASSWORDS: JSON.stringify(given.rolePasswords),
    });
    suite = await startSuite(tls, given, broker);
    release(suite.stop);
  }, START_TIMEOUT_MS);

  function migrate(variables: Readonly<Record<string, string>>) {
    const main = resolve(WORKSPACE_ROOT, 'tools/src/migrate/main.ts');
    const ended = spawnSync(process.execPath, [main], {
      env: { ...bareEnvironment(), ...variables },
      encoding: 'utf8',
    });
    return { code: ended.status, text: `${ended.stdout}${ended.stderr}` };
  }

  it('are reached by migrate and by every app, with the configured certificates', async () => {
    expect([migrated.code, migrated.text]).toEqual([0, expect.stringContaining('the streams are up to date')]);
    const health = await suite.api.call('GET', '/api/v1/health');
    expect(health.body).toMatchObject({ status: 'healthy', checks: { database: 'ok', broker: 'ok' } });
    const admin = new pg.Client({
      connectionString: suite.database.url,
      ssl: { ca: certificates.authority, ...certificates.issue('operator.example.test') },
    });
    await admin.connect();
    const found = await admin.query<{ name: string }>(
      `select distinct application_name as name from pg_stat_activity join pg_stat_ssl using (pid)
       where ssl and client_dn = '/CN=steward.example.test' and application_name like 'steward-%'`,
    );
    await admin.end();
    const names = found.rows.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(APPS.map((app) => `steward-${app}`)));
  });

  it.each([
    ['DATABASE_CA_FILE', '', /DATABASE_URL .* cannot be reached: .*certificate/],
    ['NATS_CA_FILE', '', /cannot reach NATS .*certificate.*check NATS_URL/],
    ['DATABASE_CERT_FILE', '', /DATABASE_KEY_FILE needs DATABASE_CERT_FILE/],
    ['NATS_KEY_FILE', '', /NATS_CERT_FILE needs NATS_KEY_FILE/],
    ['DATABASE_CA_FILE', 'nowhere.pem', /DATABASE_CA_FILE does not exist: .*nowhere\.pem/],
    ['NATS_CA_FILE', 'client.key', /NATS_CA_FILE contains no certificate in PEM format: .*client\.key/],
    ['NATS_KEY_FILE', 'client.pem', /NATS_KEY_FILE contains no private key in PEM format: .*client\.pem/],
    ['DATABASE_KEY_FILE', 'stranger.key', /DATABASE_KEY_FILE is not the key of the certificate in DATABASE_CERT_FILE/],
  ])('%s as "%s" prevents the start with one line that names the fault', async (variable, file, expected) => {
    const change = { [variable]: file === '' ? '' : path(file) };
    const ended = await runToEnd('search-indexer', { ...suite.environment, HEALTH_PORT: '0', ...change });
    expect([ended.code, ended.stderr.split('\n').length, ended.stderr]).toEqual([
      1,
      1,
      expect.stringMatching(expected),
    ]);
    expect(ended.stderr).not.toContain('PRIVATE KEY-----');
  });

  it('refuse a certificate signed by another authority', async () => {
    for (const server of ['DATABASE', 'NATS']) {
      const stranger = {
        [`${server}_CERT_FILE`]: path('stranger.pem'),
        [`${server}_KEY_FILE`]: path('stranger.key'),
      };
      const ended = await runToEnd('search-indexer', { ...suite.environment, HEALTH_PORT: '0', ...stranger });
      expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining(`${server}_URL`)]);
    }
  });
});

/**
 * Makes the server accept only TLS connections from now on, and require a client certificate from the authority in
 * addition to every password.
 */
async function demandTls(url: string, { cert, key }: TestCertificate, authority: string): Promise<void> {
  const admin = await connectClient(url);
  // The server itself writes the files, because they must belong to its user, as it requires for its key.
  const write = async (name: string, text: string): Promise<void> => {
    const lines = text
      .trim()
      .split('\n')
      .map((line) => admin.escapeLiteral(line))
      .join(', ');
    await admin.query(`copy (select unnest(array[${lines}])) to program 'umask 077 && cat > ${name}'`);
  };
  await write('server.crt', cert);
  await write('server.key', key);
  await write('ca.crt', authority);
  await admin.query('create database steward');
  await admin.query(`alter system set ssl_ca_file = 'ca.crt'`);
  await admin.query('alter system set ssl = on');
  await write('pg_hba.conf', 'hostssl all all all scram-sha-256 clientcert=verify-ca');
  await admin.query('select pg_reload_conf()');
  await admin.end();
}
