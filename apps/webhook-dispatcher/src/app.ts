import { setTimeout as delay } from 'node:timers/promises';
import type { Broker } from '@steward/broker';
import {
  createBackgroundTask,
  createSecretBox,
  loadSettings,
  systemClock,
  type Clock,
  type Component,
  type Logger,
  type RunnableApp,
} from '@steward/runtime';
import { assembleWorker, connectService } from '@steward/service';
import {
  createTargetGuard,
  purgeHistory,
  readQueueGauges,
  reportAcceptances,
  webhooksMigrations,
  type AcceptanceReport,
} from '@steward/slice-webhooks';
import { cacheSecrets } from './cache-secrets.ts';
import { createClockTask, requireClock } from './check-clock.ts';
import { dispatcherSettings } from './config.ts';
import { createDispatchLoop } from './dispatch-loop.ts';
import { createDeliverySummary, type DeliverySummary } from './delivery-summary.ts';
import { createDispatcherMetrics } from './dispatcher-metrics.ts';
import { createPoster } from './http/create-poster.ts';
import { createOutcomeWriter } from './outcome-writer.ts';
import { createRecoveryTask } from './recovery-task.ts';

/** Hints read at once. One woken loop finds all rows there are: of more hints than this the rest is dropped unread. */
const HINTS_AT_ONCE = 16;
/** How long a hint keeps its place: bounds the hints read to 800 a second, the first of them rings without delay. */
const HINT_HOLD_MS = 20;
const ACCEPTANCES_EVERY_SECONDS = 1;
const GAUGES_EVERY_SECONDS = 15;
const SUMMARY_EVERY_SECONDS = 10;
const PURGE_EVERY_SECONDS = 3600;

export interface DispatcherOverrides {
  /** Another schedule than the contract's, so that tests need not wait an hour. */
  readonly retryDelaysSeconds?: readonly number[];
  readonly clock?: Clock;
  /** Told what receivers of approval workflows accepted. Without it that is only kept. */
  readonly reportAcceptances?: AcceptanceReport;
}

/** All wiring of the dispatcher process. */
export async function buildApp(
  environment: NodeJS.ProcessEnv,
  overrides: DispatcherOverrides = {},
): Promise<RunnableApp> {
  const { reportAcceptances: report, clock = systemClock, ...loopOverrides } = overrides;
  const settings = loadSettings(dispatcherSettings, environment);
  const connections = await connectService({
    service: 'webhook-dispatcher',
    settings,
    slices: [webhooksMigrations],
    secrets: [settings.secretKey],
  });
  const { broker, database, logger, metrics } = connections;
  try {
    await requireClock({ db: database.db, clock });
  } catch (error) {
    for (const connection of connections.components) await connection.stop?.();
    throw error;
  }
  const dispatcherMetrics = createDispatcherMetrics(metrics, settings.maxPendingPerAccount);
  const poster = createPoster({
    timeoutMs: settings.timeoutSeconds * 1000,
    guard: settings.blockPrivateTargets ? createTargetGuard(settings.allowedPrivateCidrs) : undefined,
  });
  const breaker = {
    failureThreshold: settings.circuitFailureThreshold,
    cooldownSeconds: settings.circuitCooldownSeconds,
  };
  const outcomes = createOutcomeWriter({ db: database.db, breaker, logger, metrics: dispatcherMetrics });
  const summary = createDeliverySummary(logger);
  const loop = createDispatchLoop(
    {
      db: database.db,
      poster,
      outcomes,
      secretBox: cacheSecrets(createSecretBox(settings.secretKey, 'webhook-endpoint')),
      clock,
      random: Math.random,
      logger,
      metrics: dispatcherMetrics,
      summary,
      ...loopOverrides,
    },
    // Leaves the rest of the deadline for the outcomes, the broker and the pool.
    { ...settings, stopDeadlineSeconds: settings.stopDeadlineSeconds * 0.7 },
  );
  const recovery = createRecoveryTask({
    db: database.db,
    logger,
    maxPendingPerAccount: settings.maxPendingPerAccount,
    onQueued: loop.nudge,
  });
  const components: Component[] = [
    { name: 'http pool', stop: () => poster.close() },
    createBackgroundTask({
      name: 'gauges',
      everySeconds: GAUGES_EVERY_SECONDS,
      logger,
      run: async () => dispatcherMetrics.setGauges(await readQueueGauges(database.db)),
    }),
    createSummaryTask(summary, logger),
    createClockTask({ db: database.db, clock, logger, metrics: dispatcherMetrics }),
    createBackgroundTask({
      name: 'retention',
      everySeconds: PURGE_EVERY_SECONDS,
      logger,
      run: async (signal) => {
        const purged = await purgeHistory(database.db, { retentionDays: settings.retentionDays, signal });
        logger.info('history.purged', { ...purged });
      },
    }),
    ...(report === undefined
      ? []
      : [
          createBackgroundTask({
            name: 'acceptances',
            everySeconds: ACCEPTANCES_EVERY_SECONDS,
            logger,
            run: async (signal) => {
              while (!signal.aborted && (await reportAcceptances(database.db, report)) > 0);
            },
          }),
        ]),
    ...(settings.deliveryEnabled ? [loop, recovery] : []),
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

function createSummaryTask(summary: DeliverySummary, logger: Logger): Component {
  const run = (): Promise<void> => Promise.resolve(summary.write());
  const task = createBackgroundTask({ name: 'summary', everySeconds: SUMMARY_EVERY_SECONDS, logger, run });
  return {
    ...task,
    async stop() {
      await task.stop?.();
      summary.write();
    },
  };
}

/** Messages wake the loop; the rows are the work, so a message is done as soon as it was heard. */
function createHintConsumer(broker: Broker, nudge: () => void): Component {
  let consumption: ReturnType<typeof broker.consume> | undefined;
  return {
    name: 'hint consumer',
    start() {
      const ring = async (): Promise<void> => {
        nudge();
        await delay(HINT_HOLD_MS);
      };
      consumption = broker.consume('event-emitted', ring, { concurrency: HINTS_AT_ONCE, dropBeyond: HINTS_AT_ONCE });
    },
    async stop() {
      await consumption?.stop(1000);
    },
  };
}
