import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { APP_ROLES } from '@steward/database';
import { fileVariable } from '@steward/process';
import { parse } from 'yaml';
import { APP_SETTINGS } from '../app-settings.ts';
import { completeBrokerPasswords } from '../broker/broker-users.ts';
import { APPS, WORKSPACE_ROOT } from '../workspace.ts';
import { findSecretVariables } from '../check-containers/compose/secret-variables.ts';
import { listDeploymentFiles } from './deployment-secrets.ts';

interface Service {
  readonly command?: string | readonly string[];
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly secrets?: readonly string[];
}

const compose = parse(readFileSync(resolve(WORKSPACE_ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};
const readBucket = (name: string) =>
  parse(readFileSync(resolve(WORKSPACE_ROOT, `deploy/compose.${name}-s3.yml`), 'utf8'), {
    merge: true,
  }) as typeof compose;
const decided = {
  secretKey: 'a-secret-key-for-tests-only-0123456789',
  previousSecretKeys: [],
  postgresPassword: 'p',
  rolePasswords: Object.fromEntries(Object.values(APP_ROLES).map((role) => [role, 'p'])),
  brokerPasswords: completeBrokerPasswords(),
};
const files = listDeploymentFiles(decided);

describe('the compose file', () => {
  it('lists exactly the secret files that derive-keys writes', () => {
    const named = Object.entries(compose.secrets);
    for (const [name, { file }] of named) expect(file).toBe(`\${STEWARD_SECRETS:-./deploy/secrets}/${name}`);
    expect(named.map(([name]) => name).sort()).toEqual(Object.keys(files).sort());
  });

  it.each([
    ['evidence', 'evidenceKey'],
    ['audit-export', 'auditExportKey'],
    ['session-content', 'contentKey'],
  ])('also lists the key files of a bucket for %s, for the apps that read them', (name, key) => {
    const s3 = readBucket(name);
    const withKey = listDeploymentFiles({ ...decided, [key]: { id: 'i', secret: 's' } });
    expect([...Object.keys(compose.secrets), ...Object.keys(s3.secrets)].sort()).toEqual(Object.keys(withKey).sort());
    for (const [name, { file }] of Object.entries(s3.secrets))
      expect(file).toBe(`\${STEWARD_SECRETS:-./deploy/secrets}/${name}`);
    for (const [app, { environment = {}, secrets = [] }] of Object.entries(s3.services)) {
      expect(findSecretVariables(Object.keys(environment))).toEqual([]);
      const paths = Object.values(environment).filter((value) => value?.startsWith('/run/secrets/'));
      expect(paths).toEqual(secrets.map((name) => `/run/secrets/${name}`));
      expect(secrets.every((name) => name.endsWith(`-${app}`))).toBe(true);
      const settings = Object.values(APP_SETTINGS[app as keyof typeof APP_SETTINGS]);
      const known = settings.flatMap(({ variable, secret }) => [variable, ...(secret ? [fileVariable(variable)] : [])]);
      expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
    }
  });

  it.each(Object.keys(compose.services).filter((name) => name !== 'derive-keys'))(
    'provides %s with secrets only as files, and only with those it needs',
    (name) => {
      const { environment = {}, command = [], secrets = [] } = compose.services[name]!;
      expect(findSecretVariables(Object.keys(environment))).toEqual([]);
      const words = [...Object.values(environment), ...[command].flat().flatMap((part) => part.split(' '))];
      const paths = words.filter((word) => word?.startsWith('/run/secrets/'));
      expect(paths.map((path) => path?.slice('/run/secrets/'.length)).sort()).toEqual([...secrets].sort());
      for (const [variable, value] of Object.entries(environment)) {
        expect(`${variable}=${String(value)}`).not.toMatch(
          /\$\{\w*(?:PASSWORD|KEY|SECRET|TOKEN)\w*[:}]|:\/\/[^/]*:[^/]*@/,
        );
      }
    },
  );

  it.each(APPS)('provides %s with every required secret, and with no variable that it does not read', (app) => {
    const { environment = {} } = compose.services[app]!;
    const settings = Object.values(APP_SETTINGS[app]);
    for (const { variable, required } of settings) {
      if (required)
        expect(Object.keys(environment).some((name) => [variable, fileVariable(variable)].includes(name))).toBe(true);
    }
    const known = settings.flatMap(({ variable, secret }) => [variable, ...(secret ? [fileVariable(variable)] : [])]);
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
  });

  it.each(APPS)('provides %s only with its own broker login', (app) => {
    const holders = Object.entries(compose.services).filter(([, { secrets }]) => secrets?.includes(`nats-url-${app}`));
    // A service with another role belongs to the same app.
    const others = app === 'flow-trigger' ? ['tool-servers', 'scheduler'] : [];
    expect(holders.map(([name]) => name)).toEqual([app, ...others]);
  });

  it('starts the broker with its users, publishes none of its ports, and serves its monitoring only locally', () => {
    expect(compose.services.nats).toMatchObject({ command: expect.stringMatching(/^-c \/run\/secrets\/nats-config /) });
    expect(compose.services.nats).not.toHaveProperty('ports');
    expect(compose.services.nats?.command).not.toMatch(/(^| )(-m|--http_port)/);
    expect(files['nats-config']).toContain('http: "127.0.0.1:8222"');
  });

  it.each(['api-gateway', 'webhook-dispatcher'])('configures %s to refuse private targets by default', (name) => {
    expect(compose.services[name]?.environment).toMatchObject({
      WEBHOOK_BLOCK_PRIVATE_TARGETS: '${WEBHOOK_BLOCK_PRIVATE_TARGETS:-true}',
    });
  });

  it('gives SECRET_KEY only to the gateway and the command that rotates it', () => {
    const holders = Object.entries(compose.services).filter(([, service]) => service.secrets?.includes('secret-key'));
    expect(holders.map(([name]) => name)).toEqual(['api-gateway', 'rotate-key']);
  });
});
