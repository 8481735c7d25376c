import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { connectBroker, createBrokerHealthCheck } from '@steward/broker';
import { assertSchemaCurrent, createDatabase } from '@steward/database';
import {
  createHealthServer,
  createLifecycle,
  createLogger,
  createMetrics,
  loadSettings,
  maskSettings,
  StartupError,
  systemClock,
  type HealthCheck,
  type RunnableApp,
} from '@steward/runtime';
import { flowsMigrations } from '@steward/slice-flows';
import { gatewayMigrations } from '@steward/slice-gateway';
import { searchMigrations } from '@steward/slice-search';
import { webhooksMigrations } from '@steward/slice-webhooks';
import { flowTriggerSettings } from './config.ts';
import { createExecutionWorker } from './execution-worker.ts';
import { createProcessRunner } from './runner/process-runner.ts';

const SLICES = [flowsMigrations, gatewayMigrations, searchMigrations, webhooksMigrations];
const KILL_AFTER_MS = 5000;

/** All wiring of the flow worker process. */
export async function buildApp(environment: NodeJS.ProcessEnv): Promise<RunnableApp> {
  const settings = loadSettings(flowTriggerSettings, environment);
  if (settings.runner === 'docker') {
    throw new StartupError('FLOW_RUNNER=docker is not available in this version; use FLOW_RUNNER=process');
  }
  const logger = createLogger({ service: 'flow-trigger', level: settings.logLevel, pretty: settings.debug });
  const metrics = createMetrics('flow-trigger');
  const database = createDatabase({
    url: settings.databaseUrl,
    applicationName: 'steward-flow-trigger',
    poolSize: settings.databasePoolSize,
    logger,
  });
  await database.connect();
  for (const slice of SLICES) await assertSchemaCurrent(database.db, slice);
  const broker = await connectBroker({ url: settings.natsUrl, name: 'flow-trigger', logger, metrics });
  await broker.ensureStreams();

  const worker = createExecutionWorker(
    {
      db: database.db,
      broker,
      clock: systemClock,
      logger,
      metrics,
      runner: createProcessRunner({ killAfterMs: KILL_AFTER_MS }),
      options: {
        indexEnabled: settings.searchIndexEnabled,
        captureContent: true,
        maxPendingPerAccount: settings.webhookMaxPendingPerAccount,
      },
      workerId: `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`,
      workDirectory: settings.workDirectory,
      leaseSeconds: settings.leaseSeconds,
      maxLogBytes: settings.maxLogBytes,
      path: environment.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    },
    {
      concurrency: settings.concurrency,
      reconcileSeconds: settings.reconcileSeconds,
      // Leaves the rest of the deadline for ending the agents, the broker and the pool.
      drainSeconds: settings.stopDeadlineSeconds * 0.4,
    },
  );
  const checks: HealthCheck[] = [
    { name: 'database', essential: true, check: () => database.checkHealth() },
    createBrokerHealthCheck(broker),
  ];
  const healthServer = createHealthServer({
    host: settings.healthHost,
    port: settings.healthPort,
    checks,
    metrics,
    activity: worker.activity,
  });
  return {
    logger,
    lifecycle: createLifecycle(
      [
        { name: 'database', stop: () => database.close() },
        { name: 'broker', stop: () => broker.close() },
        healthServer,
        ...worker.components,
      ],
      { logger, stopDeadlineSeconds: settings.stopDeadlineSeconds },
    ),
    describe: () => ({ health_port: healthServer.port(), settings: maskSettings(flowTriggerSettings, settings) }),
  };
}
