import { connectBroker, createBrokerHealthCheck } from '@steward/broker';
import { assertSchemaCurrent, createDatabase } from '@steward/database';
import {
  createBackgroundTask,
  createHealthServer,
  createLifecycle,
  createLogger,
  createMetrics,
  loadSettings,
  maskSettings,
  systemClock,
  type Component,
  type HealthCheck,
  type RunnableApp,
} from '@steward/runtime';
import { backfillMigrations } from '@steward/slice-backfill';
import { gatewayMigrations } from '@steward/slice-gateway';
import { searchMigrations } from '@steward/slice-search';
import { backfillSweeperSettings } from './config.ts';
import { runPass } from './sweep/run-pass.ts';

const SLICES = [backfillMigrations, gatewayMigrations, searchMigrations];

/** All wiring of the sweeper process. Switched off, it serves its health and walks nothing. */
export async function buildApp(environment: NodeJS.ProcessEnv): Promise<RunnableApp> {
  const settings = loadSettings(backfillSweeperSettings, environment);
  const logger = createLogger({ service: 'backfill-sweeper', level: settings.logLevel, pretty: settings.debug });
  const metrics = createMetrics('backfill-sweeper');
  const database = createDatabase({
    url: settings.databaseUrl,
    applicationName: 'steward-backfill-sweeper',
    poolSize: settings.databasePoolSize,
    logger,
  });
  await database.connect();
  for (const slice of SLICES) await assertSchemaCurrent(database.db, slice);
  const broker = await connectBroker({ url: settings.natsUrl, name: 'backfill-sweeper', logger, metrics });
  await broker.ensureStreams();

  const rows = metrics.counter('steward_backfill_rows_total', 'Chunks written from history.');
  const activity = { enabled: settings.enabled, passes: 0, rows_written: 0, accounts_failed: 0 };
  let startAt: string | undefined;
  const sweep = createBackgroundTask({
    name: 'sweep',
    everySeconds: settings.intervalSeconds,
    logger,
    run: async (signal) => {
      const deps = { db: database.db, broker, clock: systemClock, logger };
      const summary = await runPass(deps, settings, { startAt, signal });
      startAt = summary.nextAccountId;
      rows.inc(summary.rows);
      activity.passes += 1;
      activity.rows_written += summary.rows;
      activity.accounts_failed += summary.failed;
    },
  });
  const checks: HealthCheck[] = [
    { name: 'database', essential: true, check: () => database.checkHealth() },
    createBrokerHealthCheck(broker),
  ];
  const healthServer = createHealthServer({
    host: settings.healthHost,
    port: settings.healthPort,
    checks,
    metrics,
    activity: () => ({ ...activity }),
  });
  const components: Component[] = [
    { name: 'database', stop: () => database.close() },
    { name: 'broker', stop: () => broker.close() },
    healthServer,
    ...(settings.enabled ? [sweep] : []),
  ];
  return {
    logger,
    lifecycle: createLifecycle(components, { logger, stopDeadlineSeconds: settings.stopDeadlineSeconds }),
    describe: () => ({ health_port: healthServer.port(), settings: maskSettings(backfillSweeperSettings, settings) }),
  };
}
