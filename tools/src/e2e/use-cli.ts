import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { releaseAfterAll } from '@steward/testing';
import type { Api } from '../demo/api.ts';
import { createCliRunner, type CliRunner } from './run-cli.ts';
import { createHook } from './create-hook.ts';
import { PASSWORD, registerOwner } from './register-owner.ts';
import { findSharedSuite, type SharedSuite } from './shared-suite.ts';
import type { Suite } from './start-suite.ts';
import { START_TIMEOUT_MS } from './suite-apps.ts';

export interface TestFlow {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
  readonly url: string;
}

export interface CliTests<Served extends SharedSuite = SharedSuite> {
  readonly suite: Served;
  /** API with the login that the command line has stored. */
  readonly api: Api;
  readonly cli: CliRunner;
  readonly home: string;
  readonly baseUrl: string;
  /** User name of the owner of the account. */
  readonly username: string;
  readonly apiKey: string;
  /** Values that the command must never print. */
  readonly secrets: string[];
  /** Creates a file in the working directory of the command. */
  file(name: string, content: string | Buffer): string;
  inWork(): { readonly cwd: string };
  createFlow(command: string): Promise<TestFlow>;
  listExecutions(flow: TestFlow): Promise<{ id: string; status: string }[]>;
}

/**
 * Provides the tests of one file with a suite, an account with an API key, and the command with both in its
 * environment.
 * @param start - starts the suite of a file that ends apps; the others share one
 */
export function useCli(): CliTests;
export function useCli(start: () => Promise<Suite>): CliTests<Suite>;
export function useCli(start?: () => Promise<Suite>): CliTests {
  const release = releaseAfterAll();
  const username = `cli-${randomBytes(6).toString('hex')}`;
  let suite: SharedSuite;
  let api: Api;
  let cli: CliRunner;
  let home: string;
  let apiKey: string;
  let flows = 0;
  const secrets: string[] = [PASSWORD];

  beforeAll(async () => {
    if (start === undefined) suite = await findSharedSuite();
    else {
      const own = await start();
      release(own.stop);
      suite = own;
    }
    home = mkdtempSync(join(tmpdir(), 'steward-cli-e2e-'));
    release(() => rmSync(home, { recursive: true, force: true }));
    ({ api } = await registerOwner(suite.api, username));
    const key = await api.call('POST', '/api/v1/auth/api-keys', { body: { name: 'ci' } });
    apiKey = String(key.body.key);
    secrets.push(apiKey);
    cli = createCliRunner({ STEWARD_URL: suite.url, STEWARD_API_KEY: apiKey, XDG_CONFIG_HOME: home });
    release(cli.stop);
  }, START_TIMEOUT_MS);

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
    username,
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
      const { id, secret, path } = await createHook(api, { name, prompt: 'p', command });
      secrets.push(secret);
      return { id, name, secret, url: `${suite.url}${path}` };
    },
    async listExecutions(flow) {
      const { body } = await api.call('GET', `/api/v1/flows/executions?flow_id=${flow.id}`);
      return body.items as unknown as { id: string; status: string }[];
    },
  };
}
