import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { APP_ROLES } from '@steward/database';
import { findFreePort, readServerChoices, removeDataDirectory, startNats, startPostgres } from '@steward/local-servers';
import { migrateAll } from '@steward/migrations';
import { bundle, bundlePath } from '../src/build/bundle-apps.ts';
import { buildAppEnvironment } from '../src/stack/app-environment.ts';
import { superviseProcess, type SupervisedProcess } from '../src/stack/supervised-process.ts';
import { waitHealthy } from '../src/stack/wait-healthy.ts';
import type { AppName } from '../src/workspace.ts';
import { createBenchDatabase } from './create-bench-database.ts';

export interface BenchApp {
  readonly pid: number;
  /** Time from the start of the process to its first healthy response, in milliseconds. */
  readonly startMs: number;
  readonly healthUrl: string;
  stop(): Promise<void>;
}

export interface BenchProcesses {
  readonly apiUrl: string;
  readonly gatewayPid: number;
  readonly gateway: BenchApp;
  /** Process id of the database server. Undefined if this process did not start the server. */
  readonly postgresPid: number | undefined;
  readonly databaseUrl: string;
  /** Starts another app of the suite, with its own settings. */
  startApp(app: AppName, settings?: Readonly<Record<string, string>>): Promise<BenchApp>;
  stop(): Promise<void>;
}

const HEALTHY_WITHIN_MS = 60_000;

/**
 * Starts Postgres with writes to disk, NATS, and the gateway as `npm start` runs it: one process each. Other apps are
 * started on request.
 */
export async function startBenchProcesses(
  others: readonly AppName[],
  gatewaySettings: Readonly<Record<string, string>> = {},
): Promise<BenchProcesses> {
  await bundle(['api-gateway', ...others]);
  const scratch = mkdtempSync(resolve(tmpdir(), 'steward-bench-'));
  const dataDirectory = mkdtempSync(resolve(tmpdir(), 'steward-bench-postgres-'));
  const shared = {
    ...readServerChoices(process.env),
    progress: (line: string) => console.error(line),
  };
  const postgres = await startPostgres({ ...shared, existingUrl: undefined, dataDirectory, durable: true });
  const nats = await startNats({ ...shared, dataDirectory: resolve(scratch, 'nats'), durable: false });
  const databaseUrl = await createBenchDatabase(postgres.url);
  const rolePasswords = makePasswords();
  await migrateAll({ databaseUrl, rolePasswords, log: () => undefined });
  const secrets = { secretKey: randomBytes(32).toString('hex'), rolePasswords };
  const apiPort = await findFreePort();

  const startApp = async (app: AppName, own: Readonly<Record<string, string>> = {}): Promise<BenchApp> => {
    const healthPort = await findFreePort();
    let pid = 0;
    const supervised: SupervisedProcess = superviseProcess({
      name: app,
      file: bundlePath(app),
      environment: buildAppEnvironment(app, {
        databaseUrl,
        natsUrl: () => nats.url,
        secrets,
        apiPort,
        healthPort,
        workDirectory: resolve(scratch, 'flows'),
        evidenceDirectory: resolve(scratch, 'evidence'),
        secretDirectory: resolve(scratch, 'secrets'),
        inherited: {
          PATH: process.env.PATH,
          // BENCH_NODE_OPTIONS="--cpu-prof --cpu-prof-dir=DIR" profiles the processes.
          NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS,
          // Rate limits are a protection that is not measured here, so they are set higher than any machine can send.
          FLOW_TRIGGER_RATE_PER_MINUTE: '10000000',
          ACCOUNT_RATE_PER_MINUTE: '10000000',
          ...own,
        },
      }),
      logFile: resolve(scratch, `${app}.log`),
      onLine: (line) => console.error(line),
      onPid: (started) => {
        pid = started;
      },
    });
    const startedAt = performance.now();
    supervised.start();
    const port = app === 'api-gateway' ? apiPort : healthPort;
    const healthUrl = `http://127.0.0.1:${port}/api/v1/health`;
    await waitHealthy(healthUrl, {
      deadlineMs: HEALTHY_WITHIN_MS,
      signal: AbortSignal.timeout(HEALTHY_WITHIN_MS),
      isHopeless: () => supervised.exits() >= 3,
    }).catch((error: unknown) => {
      throw new Error(`${app}: ${supervised.lastError()}`, { cause: error });
    });
    return { pid, startMs: performance.now() - startedAt, healthUrl, stop: () => supervised.stop() };
  };
  const gateway = await startApp('api-gateway', gatewaySettings);
  return {
    apiUrl: `http://127.0.0.1:${apiPort}`,
    gatewayPid: gateway.pid,
    gateway,
    postgresPid: postgres.pid,
    databaseUrl,
    startApp,
    async stop() {
      await gateway.stop();
      await nats.stop();
      await postgres.stop();
      await removeDataDirectory(dataDirectory);
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

function makePasswords(): Record<string, string> {
  return Object.fromEntries(Object.values(APP_ROLES).map((role) => [role, randomBytes(18).toString('base64url')]));
}
