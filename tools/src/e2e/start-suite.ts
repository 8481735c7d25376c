import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { findFreePort } from '@steward/local-servers';
import {
  createTestDatabase,
  eventually,
  readTestEnvironment,
  startTestBroker,
  type TestBroker,
  type TestDatabase,
} from '@steward/testing';
import { bundle } from '../build/bundle-apps.ts';
import { createApi, type Api } from '../demo/api.ts';
import { buildAppEnvironment } from '../stack/app-environment.ts';
import { startApps } from '../stack/start-apps.ts';
import type { AppName } from '../workspace.ts';

export interface Suite {
  readonly api: Api;
  readonly url: string;
  readonly metricsUrls: Readonly<Record<AppName, string>>;
  /** Everything the apps wrote to their logs. */
  readonly logDirectory: string;
  readonly database: TestDatabase;
  readonly broker: TestBroker;
  /** Variables of a healthy app, for starting one by hand. */
  readonly environment: Readonly<Record<string, string>>;
  /** Process id of an app at present; a new one after each start. */
  readPid(app: AppName): number | undefined;
  /** Variables of an app as it was started, for a further replica. */
  buildEnvironment(app: AppName, healthPort: number): Record<string, string>;
  waitUntilHealthy(timeoutMs: number): Promise<void>;
  /** Ends one app as a crash would and waits until its successor answers. */
  crash(app: AppName): Promise<void>;
  stop(): Promise<void>;
}

const SECRET_KEY = 'a-secret-key-for-tests-only-0123456789';

/** All five apps as processes, supervised as `npm start` does it; `more` are variables for each of them. */
export async function startSuite(more: Readonly<Record<string, string>> = {}): Promise<Suite> {
  await bundle();
  const database = await createTestDatabase();
  const broker = await startTestBroker();
  const scratch = mkdtempSync(resolve(tmpdir(), 'steward-e2e-'));
  const apiPort = await findFreePort();
  let pids: Readonly<Record<string, number>> = {};
  const { rolePasswords } = readTestEnvironment();
  const environment = {
    PATH: process.env.PATH ?? '',
    FLOW_WORK_DIR: resolve(scratch, 'flows'),
    EVIDENCE_DIR: resolve(scratch, 'evidence'),
    LOG_LEVEL: 'info',
    ...more,
  };
  const facts = {
    databaseUrl: database.url,
    natsUrl: broker.url,
    secrets: { secretKey: SECRET_KEY, rolePasswords },
    apiPort,
  };
  const apps = await startApps({
    ...facts,
    environment,
    logDirectory: scratch,
    onLine: () => undefined,
    onPids: (changed) => {
      pids = changed;
    },
  });
  await apps.waitUntilHealthy(AbortSignal.timeout(60_000));
  return {
    readPid: (app) => pids[app],
    buildEnvironment: (app, healthPort) =>
      buildAppEnvironment(app, {
        ...facts,
        healthPort,
        workDirectory: resolve(scratch, 'flows'),
        inherited: environment,
      }),
    // Not the stack's own waiting: that gives up on an app that ended often, which here is what was done to it.
    waitUntilHealthy: async (timeoutMs) => {
      for (const url of Object.values(apps.healthUrls)) await eventually(() => isHealthy(url), { timeoutMs });
    },
    api: createApi(`http://127.0.0.1:${apiPort}`),
    url: `http://127.0.0.1:${apiPort}`,
    metricsUrls: apps.metricsUrls,
    logDirectory: scratch,
    database,
    broker,
    environment: {
      ...environment,
      SECRET_KEY,
      NATS_URL: broker.url,
      DATABASE_URL: database.url,
      HOST: '127.0.0.1',
      HEALTH_HOST: '127.0.0.1',
    },
    async crash(app) {
      const former = pids[app];
      if (former === undefined) throw new Error(`${app} has no process`);
      process.kill(former, 'SIGKILL');
      await eventually(() => pids[app] !== former, { timeoutMs: 20_000 });
      await apps.waitUntilHealthy(AbortSignal.timeout(30_000));
    },
    async stop() {
      await apps.stop();
      await broker.stop();
      await database.drop();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

async function isHealthy(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
  return response.status === 200;
}
