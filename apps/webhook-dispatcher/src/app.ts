import { connectBroker, createBrokerHealthCheck } from '@steward/broker';
import { assertSchemaCurrent, createDatabase } from '@steward/database';
import {
  createHealthServer,
  createLifecycle,
  createLogger,
  createMetrics,
  createSecretBox,
  loadSettings,
  maskSettings,
  systemClock,
  type Component,
  type HealthCheck,
  type RunnableApp,
} from '@steward/runtime';
import { createTargetGuard, purgeHistory, readQueueGauges, webhooksMigrations } from '@steward/slice-webhooks';
import { createBackgroundTask } from './background-task.ts';
import { dispatcherSettings } from './config.ts';
import { createDispatchLoop } from './dispatch-loop.ts';
import { createDispatcherMetrics } from './dispatcher-metrics.ts';
import { createPoster } from './http/create-poster.ts';
import { createOutcomeWriter } from './outcome-writer.ts';

/** Hints handled at once; the handler only rings a bell. */
const HINT_CONCURRENCY = 64;
const GAUGES_EVERY_SECONDS = 15;
const PURGE_EVERY_SECONDS = 3600;

export interface DispatcherOverrides {
  /** Another schedule than the contract's, so that tests need not wait an hour. */
  readonly retryDelaysSeconds?: readonly number[];
}

/** All wiring of the dispatcher process. */
export async function buildApp(
  environment: NodeJS.ProcessEnv,
  overrides: DispatcherOverrides = {},
): Promise<RunnableApp> {
  const settings = loadSettings(dispatcherSettings, environment);
  const secrets = [settings.secretKey];
  const logger = createLogger({
    service: 'webhook-dispatcher',
    level: settings.logLevel,
    pretty: settings.debug,
    secrets,
  });
  const metrics = createMetrics('webhook-dispatcher');
  const database = createDatabase({
    url: settings.databaseUrl,
    applicationName: 'steward-webhook-dispatcher',
    poolSize: settings.databasePoolSize,
    logger,
  });
  await database.connect();
  await assertSchemaCurrent(database.db, webhooksMigrations);
  const broker = await connectBroker({ url: settings.natsUrl, name: 'webhook-dispatcher', logger, metrics });
  await broker.ensureStreams();

  const dispatcherMetrics = createDispatcherMetrics(metrics);
  const poster = createPoster({
    timeoutMs: settings.timeoutSeconds * 1000,
    guard: settings.blockPrivateTargets ? createTargetGuard(settings.allowedPrivateCidrs) : undefined,
  });
  const breaker = {
    failureThreshold: settings.circuitFailureThreshold,
    cooldownSeconds: settings.circuitCooldownSeconds,
  };
  const outcomes = createOutcomeWriter({ db: database.db, breaker, logger, metrics: dispatcherMetrics });
  const loop = createDispatchLoop(
    {
      db: database.db,
      poster,
      outcomes,
      secretBox: createSecretBox(settings.secretKey, 'webhook-endpoint'),
      clock: systemClock,
      random: Math.random,
      logger,
      metrics: dispatcherMetrics,
      ...overrides,
    },
    // Leaves the rest of the deadline for the outcomes, the broker and the pool.
    { ...settings, stopDeadlineSeconds: settings.stopDeadlineSeconds * 0.7 },
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
    activity: loop.readActivity,
  });
  const components: Component[] = [
    { name: 'database', stop: () => database.close() },
    { name: 'broker', stop: () => broker.close() },
    { name: 'http pool', stop: () => poster.close() },
    healthServer,
    createBackgroundTask({
      name: 'gauges',
      everySeconds: GAUGES_EVERY_SECONDS,
      logger,
      run: async () => dispatcherMetrics.setGauges(await readQueueGauges(database.db)),
    }),
    createBackgroundTask({
      name: 'retention',
      everySeconds: PURGE_EVERY_SECONDS,
      logger,
      run: async (signal) => {
        const purged = await purgeHistory(database.db, { retentionDays: settings.retentionDays, signal });
        logger.info('history.purged', { ...purged });
      },
    }),
    ...(settings.deliveryEnabled ? [loop] : []),
    createHintConsumer(broker, settings.deliveryEnabled ? loop.nudge : () => undefined),
  ];
  if (!settings.deliveryEnabled) logger.warn('delivery.disabled', { variable: 'WEBHOOK_DELIVERY_ENABLED' });
  return {
    logger,
    lifecycle: createLifecycle(components, { logger, stopDeadlineSeconds: settings.stopDeadlineSeconds }),
    describe: () => ({ health_port: healthServer.port(), settings: maskSettings(dispatcherSettings, settings) }),
  };
}

/** Messages wake the loop; the rows are the work, so a message is done as soon as it was heard. */
function createHintConsumer(broker: Awaited<ReturnType<typeof connectBroker>>, nudge: () => void): Component {
  let consumption: ReturnType<typeof broker.consume> | undefined;
  return {
    name: 'hint consumer',
    start() {
      consumption = broker.consume('event-emitted', nudge, { concurrency: HINT_CONCURRENCY });
    },
    async stop() {
      await consumption?.stop(1000);
    },
  };
}
