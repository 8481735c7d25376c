import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { releaseAfterAll } from '@steward/testing';
import type { Api } from '../demo/api.ts';
import { createCliRunner, type CliRunner } from './run-cli.ts';
import { startSuite, type Suite } from './start-suite.ts';
import { START_PATIENCE_MS } from './suite-apps.ts';

export const PASSWORD = 'a long enough password';

export interface TestFlow {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
  readonly url: string;
}

export interface CliTests {
  readonly suite: Suite;
  /** As the person the command line is logged in as. */
  readonly api: Api;
  readonly cli: CliRunner;
  readonly home: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** What the command must never print. */
  readonly secrets: string[];
  /** A file of the folder the command runs in. */
  file(name: string, content: string | Buffer): string;
  inWork(): { readonly cwd: string };
  createFlow(command: string): Promise<TestFlow>;
  listExecutions(flow: TestFlow): Promise<{ id: string; status: string }[]>;
}

/** The suite, an account with an API key, and the command with both in its environment; for the tests of one file. */
export function useCli(): CliTests {
  const release = releaseAfterAll();
  let suite: Suite;
  let api: Api;
  let cli: CliRunner;
  let home: string;
  let apiKey: string;
  let flows = 0;
  const secrets: string[] = [PASSWORD];

  beforeAll(async () => {
    suite = await startSuite();
    release(suite.stop);
    home = mkdtempSync(join(tmpdir(), 'steward-cli-e2e-'));
    release(() => rmSync(home, { recursive: true, force: true }));
    await suite.api.call('POST', '/api/v1/auth/register', {
      body: { username: 'cli', email: 'cli@example.test', password: PASSWORD },
    });
    const login = await suite.api.call('POST', '/api/v1/auth/token/json', {
      body: { username: 'cli', password: PASSWORD },
    });
    api = suite.api.withToken(String(login.body.access_token));
    const key = await api.call('POST', '/api/v1/auth/api-keys', { body: { name: 'ci' } });
    apiKey = String(key.body.key);
    secrets.push(apiKey);
    cli = createCliRunner({ STEWARD_URL: suite.url, STEWARD_API_KEY: apiKey, XDG_CONFIG_HOME: home });
    release(cli.stop);
  }, START_PATIENCE_MS);

  return {
    get suite() {
      return suite;
    },
    get api() {
      return api;
    },
    get cli() {
      return cli;
    },
    get home() {
      return home;
    },
    get baseUrl() {
      return suite.url;
    },
    get apiKey() {
      return apiKey;
    },
    secrets,
    file(name, content) {
      const path = join(home, 'work', name);
      mkdirSync(resolve(path, '..'), { recursive: true });
      writeFileSync(path, content);
      return name;
    },
    inWork: () => ({ cwd: join(home, 'work') }),
    async createFlow(command) {
      flows += 1;
      const name = `cli flow ${flows}`;
      const { body } = await api.call('POST', '/api/v1/flows', {
        body: { name, trigger: 'webhook', prompt_template: 'p', agent_type: 'command', agent_config: { command } },
      });
      const secret = String(
        (body as unknown as { webhook_config: { webhook_secret: string } }).webhook_config.webhook_secret,
      );
      secrets.push(secret);
      return { id: String(body.id), name, secret, url: `${suite.url}/webhooks/flows/${String(body.id)}/${secret}` };
    },
    async listExecutions(flow) {
      const { body } = await api.call('GET', `/api/v1/flows/executions?flow_id=${flow.id}`);
      return body.items as unknown as { id: string; status: string }[];
    },
  };
}
