import type { Broker } from '@steward/broker';
import {
  createBackgroundTask,
  createSecretBox,
  loadSettings,
  systemClock,
  type Component,
  type RunnableApp,
} from '@steward/runtime';
import { assembleWorker, connectService } from '@steward/service';
import { createTargetGuard, purgeHistory, readQueueGauges, webhooksMigrations } from '@steward/slice-webhooks';
import { dispatcherSettings } from './config.ts';
import { createDispatchLoop } from './dispatch-loop.ts';
import { createDispatcherMetrics } from './dispatcher-metrics.ts';
import { createPoster } from './http/create-poster.ts';
import { createOutcomeWriter } from './outcome-writer.ts';
import { rememberOpened } from './remember-opened.ts';

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
  const connections = await connectService({
    service: 'webhook-dispatcher',
    settings,
    slices: [webhooksMigrations],
    secrets: [settings.secretKey],
  });
  const { broker, database, logger, metrics } = connections;
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
      secretBox: rememberOpened(createSecretBox(settings.secretKey, 'webhook-endpoint')),
      clock: systemClock,
      random: Math.random,
      logger,
      metrics: dispatcherMetrics,
      ...overrides,
    },
    // Leaves the rest of the deadline for the outcomes, the broker and the pool.
    { ...settings, stopDeadlineSeconds: settings.stopDeadlineSeconds * 0.7 },
  );
  const components: Component[] = [
    { name: 'http pool', stop: () => poster.close() },
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
  return assembleWorker(connections, {
    shape: dispatcherSettings,
    settings,
    components,
    activity: loop.readActivity,
  });
}

/** Messages wake the loop; the rows are the work, so a message is done as soon as it was heard. */
function createHintConsumer(broker: Broker, nudge: () => void): Component {
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
