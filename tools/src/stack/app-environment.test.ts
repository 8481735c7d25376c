import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { deriveKey, KEY_PURPOSES } from '@steward/crypto';
import { APP_ROLES } from '@steward/database';
import { loadSettings } from '@steward/process';
import { useFolder } from '@steward/testing';
import { APP_SETTINGS } from '../app-settings.ts';
import { APPS, type AppName } from '../workspace.ts';
import { buildAppEnvironment } from './app-environment.ts';

const KEY = 'a-secret-key-for-tests-only-0123456789';
const FORMER = 'the-former-secret-key-for-tests-987654321';

describe('the environment of an app in the local stack', () => {
  const directory = useFolder();

  const build = (app: AppName, inherited: NodeJS.ProcessEnv = {}) =>
    buildAppEnvironment(app, {
      databaseUrl: 'postgres://postgres:superuser-password@127.0.0.1:5432/steward',
      natsUrl: (user) => `nats://${user}:password-of-${user}@127.0.0.1:4222`,
      secrets: {
        secretKey: KEY,
        rolePasswords: Object.fromEntries(Object.values(APP_ROLES).map((role) => [role, `password-of-${role}`])),
      },
      apiPort: 8000,
      healthPort: 8080,
      workDirectory: '/tmp/flows',
      evidenceDirectory: '/tmp/flows-evidence',
      secretDirectory: directory(),
      inherited: { PATH: '/usr/bin', ...inherited },
    });
  const load = (app: AppName, inherited?: NodeJS.ProcessEnv) =>
    loadSettings(APP_SETTINGS[app], build(app, inherited)) as Readonly<Record<string, unknown>>;
  const readFiles = (app: AppName): string =>
    readdirSync(resolve(directory(), app))
      .map((name) => readFileSync(resolve(directory(), app, name), 'utf8'))
      .join('\n');

  it.each(APPS)('%s receives all its settings, including its own login', (app) => {
    expect(load(app)).toMatchObject({
      databaseUrl: expect.stringMatching(/^postgres:\/\/(steward_\w+):password-of-\1@/),
      natsUrl: `nats://${app}:password-of-${app}@127.0.0.1:4222`,
    });
  });

  it.each(APPS)('%s receives only the key that it needs', (app) => {
    build(app);
    const files = readFiles(app);
    const given = {
      secretKey: files.includes(KEY),
      endpoint: files.includes(deriveKey(KEY, KEY_PURPOSES.endpoint)),
      flow: files.includes(deriveKey(KEY, KEY_PURPOSES.flowAgent)),
      embedding: files.includes(deriveKey(KEY, KEY_PURPOSES.embedding)),
    };
    expect(given).toEqual({
      secretKey: app === 'api-gateway',
      endpoint: app === 'webhook-dispatcher',
      flow: app === 'flow-trigger',
      embedding: app === 'search-indexer',
    });
    expect(files).not.toContain('superuser-password');
  });

  it('allows gateway and indexer to call the local embedding server, unless other machines can reach the API or other origins are configured', () => {
    for (const app of ['api-gateway', 'search-indexer'] as const) {
      expect(load(app)).toMatchObject({
        embeddingInsecureOrigins: ['http://127.0.0.1:9100'],
        embeddingPrices: { 'text-embedding-3-small': 0.02, 'universal-sentence-encoder-lite': 0 },
      });
      expect(load(app, { HOST: '0.0.0.0' })).toMatchObject({ embeddingInsecureOrigins: [] });
      const own = { SESSION_EMBEDDING_ALLOW_INSECURE_BASE_URLS: 'http://10.0.0.1:80' };
      expect(load(app, own)).toMatchObject({ embeddingInsecureOrigins: ['http://10.0.0.1:80'] });
    }
  });

  it('passes on the caller’s settings, and secrets as files for the app that reads them, but nothing else', () => {
    const inherited = {
      LOG_LEVEL: 'warn',
      SECRET_KEY: FORMER,
      DATABASE_URL: 'postgres://canary:canary@db/steward',
      FLOW_MODELS: '{"canary":{}}',
      AWS_SECRET_ACCESS_KEY: 'canary',
      DATABASE_ROLE_PASSWORDS: 'canary',
      npm_config_registry: 'https://canary:canary@registry.example',
    };
    for (const app of APPS) {
      const environment = build(app, inherited);
      expect(environment).toMatchObject({ PATH: '/usr/bin', LOG_LEVEL: 'warn' });
      expect(JSON.stringify(environment)).not.toMatch(/canary|former-secret/);
      expect(readFiles(app).includes('canary')).toBe(app === 'flow-trigger');
    }
    expect(load('api-gateway', inherited)).toMatchObject({ secretKey: FORMER });
  });

  it('reads a key and the previous keys from files, and derives the key rings of the other apps', () => {
    const file = resolve(directory(), 'previous');
    writeFileSync(file, `${FORMER}\n`, { mode: 0o600 });
    const inherited = { SECRET_KEY_PREVIOUS_FILE: file };
    expect(load('api-gateway', inherited)).toMatchObject({ secretKey: KEY, previousSecretKeys: [FORMER] });
    expect(load('webhook-dispatcher', inherited)).toMatchObject({
      endpointSecretKey: deriveKey(KEY, KEY_PURPOSES.endpoint),
      previousEndpointSecretKeys: [deriveKey(FORMER, KEY_PURPOSES.endpoint)],
    });
  });

  it('restricts the files to their owner, and deletes those that are no longer set', () => {
    const file = resolve(directory(), 'previous');
    writeFileSync(file, FORMER, { mode: 0o600 });
    build('api-gateway', { SECRET_KEY_PREVIOUS_FILE: file });
    expect(readFiles('api-gateway')).toContain(FORMER);
    build('api-gateway');
    expect(readFiles('api-gateway')).not.toContain(FORMER);
    const folder = resolve(directory(), 'api-gateway');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(resolve(folder, name)).mode & 0o777).toBe(0o600);
  });
});
