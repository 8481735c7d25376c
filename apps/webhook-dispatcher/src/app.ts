import { systemClock, type Clock } from '@steward/async';
import { createDerivedSecretBox, KEY_PURPOSES } from '@steward/crypto';
import { createDueTasks } from '@steward/database';
import { createTargetGuard } from '@steward/egress';
import { loadSettings, stopTogether, type Component, type RunnableApp } from '@steward/process';
import { assembleWorker, connectService } from '@steward/service';
import { MAIL_URL, webhooksMigrations, webhooksSealedColumns } from '@steward/webhooks';
import { dispatcherSettings } from './config.ts';
import { createDeliverySummary } from './delivery-summary.ts';
import { createDispatcherMetrics } from './dispatcher-metrics.ts';
import { DispatchLoop } from './engine/dispatch-loop.ts';
import { OutcomeWriter } from './engine/outcome-writer.ts';
import { cacheSecrets } from './http/cache-secrets.ts';
import { chooseChannel } from './engine/choose-channel.ts';
import { createHttpChannel } from './http/http-channel.ts';
import { createNoticeChannel } from './notices/notice-channel.ts';
import { createPushChannel } from './push/push-channel.ts';
import { createSmtpChannel } from './smtp/smtp-channel.ts';
import { createPoster } from './http/create-poster.ts';
import { warnOfOpenTargets } from './http/warn-of-open-targets.ts';
import { createBackgroundTasks } from './tasks/background-tasks.ts';
import { requireClock } from './tasks/check-clock.ts';
import { createFailingEndpointsTask } from './tasks/failing-endpoints-task.ts';
import { createHintConsumer } from './tasks/hint-consumer.ts';
import { createRecoveryTask } from './tasks/recovery-task.ts';

export interface DispatcherOverrides {
  /** Replaces the retry schedule of the contract, so that tests need not wait for an hour. */
  readonly retryDelaysSeconds?: readonly number[];
  readonly clock?: Clock;
}

/** Builds the dispatcher process. */
export async function buildApp(
  environment: NodeJS.ProcessEnv,
  overrides: DispatcherOverrides = {},
): Promise<RunnableApp> {
  const { clock = systemClock, ...loopOverrides } = overrides;
  const settings = loadSettings(dispatcherSettings, environment);
  const endpointKeys = [settings.endpointSecretKey, ...settings.previousEndpointSecretKeys];
  const endpointBox = createDerivedSecretBox(endpointKeys);
  const connections = await connectService({
    service: 'webhook-dispatcher',
    settings,
    slices: [webhooksMigrations],
    secrets: endpointKeys,
    keys: {
      columns: webhooksSealedColumns,
      boxes: { [KEY_PURPOSES.endpoint]: endpointBox },
      variable: 'ENDPOINT_SECRET_KEY',
      isLost: settings.secretKeyLost,
    },
  });
  const { broker, database, logger, metrics } = connections;
  warnOfOpenTargets(settings, logger);
  try {
    await requireClock({ db: database.db, clock });
  } catch (error) {
    for (const connection of connections.components) await connection.stop?.();
    throw error;
  }
  const dispatcherMetrics = createDispatcherMetrics(metrics, settings.maxPendingPerAccount);
  const summary = createDeliverySummary(logger);
  const timeoutMs = settings.webhookDeliveryTimeoutSeconds * 1000;
  const smtp = createSmtpChannel({ url: settings.smtpUrl, timeoutMs, secretBox: endpointBox });
  const poster = createPoster({
    timeoutMs,
    guard: settings.webhookBlockPrivateTargets ? createTargetGuard(settings.webhookAllowedPrivateCidrs) : undefined,
    allowedPorts: settings.webhookAllowedPorts,
  });
  // The addresses of push services are sent by browsers: private addresses are refused unless the operator allows them.
  const pushPoster = createPoster({
    timeoutMs,
    guard: createTargetGuard(settings.pushAllowedPrivateCidrs),
    allowedPorts: settings.webhookAllowedPorts,
  });
  const posting = { poster, secretBox: cacheSecrets(endpointBox), clock };
  const http = createHttpChannel(posting);
  const notices = createNoticeChannel({ ...posting, publicUrl: settings.publicUrl });
  const push = createPushChannel({ ...posting, poster: pushPoster, db: database.db, publicUrl: settings.publicUrl });
  const channel = chooseChannel(
    ({ channelKind, address }) => {
      if (channelKind === 'web_push') return push;
      return channelKind !== null ? notices : address.url === MAIL_URL ? smtp : http;
    },
    [http, smtp, push],
  );
  const breaker = {
    failureThreshold: settings.circuitFailureThreshold,
    cooldownSeconds: settings.circuitCooldownSeconds,
  };
  const shared = { db: database.db, clock, logger, metrics: dispatcherMetrics, summary };
  const outcomes = new OutcomeWriter({ ...shared, breaker });
  const loop = new DispatchLoop(
    { ...shared, channel, outcomes, random: Math.random, ...loopOverrides },
    // The rest of the deadline is left for writing the outcomes, and for closing the broker and the pool.
    { ...settings, stopDeadlineSeconds: settings.stopDeadlineSeconds * 0.7 },
  );
  const { maxPendingPerAccount, retentionDays, deliveryEnabled } = settings;
  const dueTasks = createDueTasks(shared);
  const queueing = { db: database.db, dueTasks, logger, maxPendingPerAccount, onQueued: loop.nudge };
  const senders = [loop, createRecoveryTask(queueing), createFailingEndpointsTask(queueing), dueTasks.component];
  const tasks = createBackgroundTasks({ ...shared, retentionDays });
  const hints = createHintConsumer(broker, deliveryEnabled ? loop.nudge : () => undefined);
  const components: Component[] = [
    { name: 'channels', stop: () => channel.close() },
    ...tasks.reports,
    stopTogether('work', [...tasks.changes, ...(deliveryEnabled ? senders : []), hints]),
  ];
  if (!deliveryEnabled) logger.warn('delivery.disabled', { variable: 'WEBHOOK_DELIVERY_ENABLED' });
  const { readActivity: activity } = loop;
  return assembleWorker(connections, { shape: dispatcherSettings, settings, components, activity });
}
