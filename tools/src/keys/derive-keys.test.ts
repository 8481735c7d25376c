import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { deriveKey, KEY_PURPOSES } from '@steward/crypto';
import { bareEnvironment, useFolder } from '@steward/testing';
import { parseAllDocuments } from 'yaml';
import { listProblems } from '../migrate/list-problems.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { runDeriveKeys } from './derive-keys.ts';

describe('npm run derive-keys', () => {
  const folder = useFolder();

  const out = (): string[] => ['--out', resolve(folder(), 'secrets')];

  /** Runs the command as a process, as an operator does. */
  const runAsProcess = (args: readonly string[] = []) => {
    const main = resolve(WORKSPACE_ROOT, 'tools/src/migrate/main.ts');
    const ended = spawnSync(process.execPath, [main, 'derive-keys', ...out(), ...args], {
      cwd: folder(),
      env: bareEnvironment(),
      encoding: 'utf8',
    });
    return { code: ended.status, text: `${ended.stdout}${ended.stderr}` };
  };
  /** Runs the command in this process, because starting one takes half a second of CPU time. */
  const run = (args: readonly string[] = [], env: Record<string, string> = {}) => {
    const lines: string[] = [];
    try {
      runDeriveKeys([...out(), ...args], { env, folder: folder(), print: (line) => void lines.push(`${line}\n`) });
      return { code: 0, text: lines.join('') };
    } catch (error) {
      return { code: 1, text: [...lines, ...listProblems('derive-keys', error).map((line) => `${line}\n`)].join('') };
    }
  };
  const read = (name: string): string => readFileSync(resolve(folder(), 'secrets', name), 'utf8').trim();

  it('generates every secret, derives keys from SECRET_KEY, and changes nothing when run again', () => {
    expect(runAsProcess().code).toBe(0);
    const names = readdirSync(resolve(folder(), 'secrets'));
    const before = names.map(read);
    expect(read('secret-key')).toMatch(/^[0-9a-f]{64}$/);
    expect(read('endpoint-secret-key')).toBe(deriveKey(read('secret-key'), KEY_PURPOSES.endpoint));
    expect(read('flow-secret-key')).toBe(deriveKey(read('secret-key'), KEY_PURPOSES.flowAgent));
    expect(read('embedding-secret-key')).toBe(deriveKey(read('secret-key'), KEY_PURPOSES.embedding));
    expect(read('database-url-api-gateway')).toMatch(
      /^postgres:\/\/steward_api_gateway:[0-9a-f]{64}@postgres:5432\/steward$/,
    );
    const again = runAsProcess();
    expect([again.code, names.map(read)]).toEqual([0, before]);
    for (const secret of before) if (secret !== '') expect(again.text).not.toContain(secret);
  });

  it('generates a broker login for each app, adds it to the broker’s file, and retains it', () => {
    run();
    const url = new URL(read('nats-url-flow-trigger'));
    expect([url.username, url.host]).toEqual(['flow-trigger', 'nats:4222']);
    expect(url.password).toMatch(/^[0-9a-f]{64}$/);
    expect(read('nats-config')).toContain(`password: "${url.password}"`);
    rmSync(resolve(folder(), 'secrets', 'nats-url-search-indexer'));
    run();
    expect(read('nats-url-flow-trigger')).toBe(url.href);
    expect(read('nats-config')).toContain(new URL(read('nats-url-search-indexer')).password);
  });

  it('protects the files from other users of the machine', () => {
    run();
    expect(statSync(resolve(folder(), 'secrets')).mode & 0o777).toBe(0o700);
    const readMode = (name: string): number => statSync(resolve(folder(), 'secrets', name)).mode & 0o777;
    // Third-party images read their files under their own users.
    for (const name of ['postgres-password', 'nats-config']) expect(readMode(name)).toBe(0o444);
    expect(readMode('database-url-flow-trigger')).toBe(0o400);
  });

  it('exits with 1 and one line if it refuses its arguments, as a process', () => {
    const ended = runAsProcess(['--wrong']);
    expect([ended.code, ended.text]).toEqual([1, expect.stringMatching(/^derive-keys: .*--wrong.*\n$/)]);
  });

  it('uses the values in .env, with any characters in passwords', () => {
    writeFileSync(
      resolve(folder(), '.env'),
      "SECRET_KEY=a-secret-key-for-tests-only-0123456789\nPOSTGRES_PASSWORD='a/b@c:d#e'\n",
    );
    expect(run().code).toBe(0);
    expect(read('secret-key')).toBe('a-secret-key-for-tests-only-0123456789');
    expect(decodeURIComponent(new URL(read('database-url-owner')).password)).toBe('a/b@c:d#e');
    expect(read('postgres-password')).toBe('a/b@c:d#e');
  });

  it('provides apps with the address of a pooler, and commands that need a session with that of the database', () => {
    const args = ['--database', 'postgres.example.com:5432/steward', '--pooler', 'pooler.example.com:6432/steward'];
    expect(run([...args, '--manifests', 'steward']).code).toBe(0);
    const [pooled, direct] = [
      new URL(read('database-url-flow-trigger')),
      new URL(read('database-direct-url-flow-trigger')),
    ];
    expect([pooled.host, direct.host, new URL(read('database-url-owner')).host]).toEqual([
      'pooler.example.com:6432',
      'postgres.example.com:5432',
      'postgres.example.com:5432',
    ]);
    expect([pooled.username, pooled.password]).toEqual([direct.username, direct.password]);
    const secrets = parseAllDocuments(read('kubernetes-secrets.yaml')).map(
      (one) => one.toJS() as { metadata: { name: string }; stringData: Record<string, string> },
    );
    const find = (name: string) => secrets.find(({ metadata }) => metadata.name === `steward-${name}`)?.stringData;
    expect(find('flow-trigger')).toMatchObject({ 'database-url': pooled.href, 'database-direct-url': direct.href });
    expect(find('migrate')).not.toHaveProperty('database-direct-url');
    expect(run(['--pooler', 'user@pooler.example.com/steward']).text).toContain('--pooler is HOST:PORT/NAME');
  });

  it('provides the gateway alone with the address of a standby', () => {
    expect(run(['--replica', 'standby.example.com:5433/steward', '--manifests', 'steward']).code).toBe(0);
    const [own, standby] = [new URL(read('database-url-api-gateway')), new URL(read('database-read-url-api-gateway'))];
    expect([standby.host, standby.username, standby.password]).toEqual([
      'standby.example.com:5433',
      own.username,
      own.password,
    ]);
    const text = read('kubernetes-secrets.yaml');
    expect(text.match(/database-read-url:/g)).toHaveLength(1);
    expect(readdirSync(resolve(folder(), 'secrets')).filter((name) => name.includes('read-url'))).toHaveLength(1);
    expect(run(['--replica', 'standby.example.com']).text).toContain('--replica is HOST:PORT/NAME');
  });

  it('writes the key of a bucket into a file for each app that reads it, and retains it', () => {
    run();
    const listKeys = (): string[] => readdirSync(resolve(folder(), 'secrets')).filter((name) => name.includes('s3'));
    expect(listKeys()).toEqual([]);
    expect(run([], { EVIDENCE_S3_ACCESS_KEY_ID: 'id', EVIDENCE_S3_SECRET_ACCESS_KEY: 'the secret' }).code).toBe(0);
    const expected = {
      'evidence-s3-access-key-id-api-gateway': 'id',
      'evidence-s3-access-key-id-flow-trigger': 'id',
      'evidence-s3-secret-access-key-api-gateway': 'the secret',
      'evidence-s3-secret-access-key-flow-trigger': 'the secret',
    };
    expect(Object.fromEntries(listKeys().map((name) => [name, read(name)]))).toEqual(expected);
    run();
    expect(Object.fromEntries(listKeys().map((name) => [name, read(name)]))).toEqual(expected);
  });

  it('writes the key of a bucket for the audit log for the gateway alone, also into its Secret', () => {
    const given = { AUDIT_EXPORT_S3_ACCESS_KEY_ID: 'id', AUDIT_EXPORT_S3_SECRET_ACCESS_KEY: 'the secret' };
    expect(run([], given).code).toBe(0);
    const names = readdirSync(resolve(folder(), 'secrets')).filter((name) => name.includes('s3'));
    expect(Object.fromEntries(names.map((name) => [name, read(name)]))).toEqual({
      'audit-export-s3-access-key-id-api-gateway': 'id',
      'audit-export-s3-secret-access-key-api-gateway': 'the secret',
    });
    run(['--manifests', 'steward']);
    expect(read('kubernetes-secrets.yaml').match(/audit-export-s3-secret-access-key: the secret/g)).toHaveLength(1);
    expect(run([], { AUDIT_EXPORT_S3_ACCESS_KEY_ID: 'id' }).text).toContain('must be set together');
  });

  it('writes the address of the mail server into a file, which is empty if there is none and unchanged if it is removed from .env', () => {
    run();
    expect(read('smtp-url')).toBe('');
    expect(run([], { SMTP_URL: 'smtp://user:pass@mail.example.test:587' }).code).toBe(0);
    expect(read('smtp-url')).toBe('smtp://user:pass@mail.example.test:587');
    run();
    expect(read('smtp-url')).toBe('smtp://user:pass@mail.example.test:587');
    rmSync(resolve(folder(), 'secrets', 'smtp-url'));
    run();
    expect(read('smtp-url')).toBe('');
  });

  it('writes the Secrets of a release on Kubernetes, with the given addresses', () => {
    const args = ['--manifests', 'prod', '--database', 'pg:5432/steward', '--broker', 'nats://nats:4222'];
    expect(run(args, { EVIDENCE_S3_ACCESS_KEY_ID: 'id', EVIDENCE_S3_SECRET_ACCESS_KEY: 'the secret' }).code).toBe(0);
    const found = parseAllDocuments(read('kubernetes-secrets.yaml')).map(
      (one) => one.toJS() as { metadata: { name: string }; stringData: Record<string, string> },
    );
    const secret = (name: string) => found.find(({ metadata }) => metadata.name === `prod-steward-${name}`)?.stringData;
    expect(secret('search-indexer')).toMatchObject({ 'database-url': expect.stringContaining('@pg:5432/steward') });
    expect(secret('api-gateway')).toMatchObject({
      'secret-key': read('secret-key'),
      'evidence-s3-access-key-id': 'id',
    });
    expect(secret('nats-users')?.['nats-users.conf']).not.toContain('http');
    run(args);
    expect(read('kubernetes-secrets.yaml')).toContain('the secret');
  });

  it('rotates the key in two steps: the previous key is accepted until it is dropped', () => {
    run();
    const former = read('secret-key');
    expect(run(['--new-key']).text).toContain('rotate-key');
    expect(read('secret-key')).not.toBe(former);
    expect(read('secret-key-previous')).toBe(former);
    expect(read('endpoint-secret-key-previous')).toBe(deriveKey(former, KEY_PURPOSES.endpoint));
    expect(run(['--drop-previous']).code).toBe(0);
    expect(read('secret-key-previous')).toBe('');
  });

  it('refuses to lose the key that encrypted existing secrets', () => {
    run();
    const former = read('secret-key');
    const ended = run([], { SECRET_KEY: 'a-secret-key-for-tests-only-0123456789' });
    expect([ended.code, read('secret-key')]).toEqual([1, former]);
    expect(ended.text).toMatch(/^derive-keys: SECRET_KEY differs from that .*docs\/operate\/keys\.md\)\n$/);
  });

  it.each([
    [['--wrong'], {}, /--wrong/],
    [['--new-key', '--drop-previous'], {}, /exclude each other/],
    [[], { SECRET_KEY: 'x'.repeat(40) }, /SECRET_KEY is too easy to guess/],
    [[], { EVIDENCE_S3_ACCESS_KEY_ID: 'id' }, /EVIDENCE_S3_SECRET_ACCESS_KEY must be set together/],
    [['--env', 'missing'], {}, /missing/],
    [['--database', 'postgres://u:p@host/db'], {}, /HOST:PORT\/NAME/],
    [['--broker', 'nats://u:p@host:4222'], {}, /without a user/],
  ])('refuses the arguments %j with %j, in one line', (args, env, expected) => {
    const ended = run(args, env as Record<string, string>);
    expect([ended.code, ended.text.trim().split('\n').length]).toEqual([1, 1]);
    expect(ended.text).toMatch(expected);
  });
});
