import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { systemClock } from '@steward/async';
import { createDerivedSecretBox } from '@steward/crypto';
import { gatewayMigrations } from '@steward/gateway-schema';
import { loadSettings, type Component, type Logger, type RunnableApp, type SettingsOf } from '@steward/process';
import { assembleWorker, connectService } from '@steward/service';
import { createEvidenceStores, flowsMigrations, listEvidenceSecrets } from '@steward/flows';
import { searchMigrations } from '@steward/search';
import { toSessionWriteOptions } from '@steward/sessions';
import { webhooksMigrations } from '@steward/webhooks';
import { flowTriggerSettings, schedulerSettings } from './config.ts';
import { createBacklogGauges } from './run/backlog-gauges.ts';
import { describePlaces } from './run/describe-places.ts';
import { checkEvidenceStore } from './evidence/check-evidence-store.ts';
import { ExecutionWorker } from './run/execution-worker.ts';
import { createScheduleRunner } from './schedules/create-schedule-runner.ts';
import { createRunner } from './runner/create-runner.ts';
import type { Runner } from './runner/runner.ts';
import { createToolServerHost } from './tool-servers/tool-server-host.ts';

const SLICES = [flowsMigrations, gatewayMigrations, searchMigrations, webhooksMigrations];
const GIT_PROTOCOLS = ['https', 'http', 'ssh', 'git', 'file'];

/** Builds the process for the configured role: worker, scheduler, or both. */
export function buildApp(environment: NodeJS.ProcessEnv): Promise<RunnableApp> {
  const { serviceRole } = loadSettings({ serviceRole: schedulerSettings.serviceRole }, environment);
  return serviceRole === 'scheduler' ? buildScheduler(environment) : buildWorker(environment);
}

async function buildScheduler(environment: NodeJS.ProcessEnv): Promise<RunnableApp> {
  const settings = loadSettings(schedulerSettings, environment);
  const slices = [flowsMigrations];
  const connections = await connectService({ service: 'flow-trigger', settings, slices, secrets: [] });
  const { broker, database, logger, metrics } = connections;
  const schedules = createScheduleRunner({ db: database.db, broker, logger, metrics });
  return assembleWorker(connections, {
    shape: schedulerSettings,
    settings,
    components: [schedules, createBacklogGauges({ db: database.db, logger, metrics })],
    activity: () => ({ role: 'scheduler' }),
  });
}

async function buildWorker(environment: NodeJS.ProcessEnv): Promise<RunnableApp> {
  const settings = loadSettings(flowTriggerSettings, environment);
  const flowKeys: [string, ...string[]] = [settings.flowSecretKey, ...settings.previousFlowSecretKeys];
  const secrets = [...flowKeys, ...listEvidenceSecrets(settings)];
  const evidenceStores = createEvidenceStores(settings);
  const storeProblem = await checkEvidenceStore(evidenceStores.current);
  const { runner, separation, isApart, hasOwnNetwork } = await createRunner(settings, environment);
  const connections = await connectService({ service: 'flow-trigger', settings, slices: SLICES, secrets });
  const { broker, database, logger, metrics } = connections;
  logger[isApart && hasOwnNetwork ? 'info' : 'warn']('flow.isolation', {
    agents: separation,
    are_apart: isApart,
    have_own_network: hasOwnNetwork,
  });
  metrics
    .gauge(
      'steward_agents_apart',
      '1 if agents are isolated from the service, 0 if they have all rights of the worker.',
    )
    .set(isApart ? 1 : 0);
  metrics
    .gauge(
      'steward_agents_network_apart',
      '1 if each run has its own network, 0 if runs share the network of the worker.',
    )
    .set(hasOwnNetwork ? 1 : 0);
  if (storeProblem !== undefined) logger.warn('evidence.store_unreachable', { error: storeProblem });
  const places = describePlaces(settings);
  if (places !== undefined) logger.warn('flow.places_hardly_shared', { detail: places });
  const worker = new ExecutionWorker(
    {
      db: database.db,
      broker,
      clock: systemClock,
      logger,
      metrics,
      runner,
      options: toSessionWriteOptions(settings),
      workerId: `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`,
      workDirectory: settings.workDirectory,
      leaseSeconds: settings.leaseSeconds,
      maxLogBytes: settings.maxLogBytes,
      flowBox: createDerivedSecretBox(flowKeys),
      clone: {
        protocols: settings.gitProtocols.length === 0 ? GIT_PROTOCOLS : settings.gitProtocols,
        timeoutSeconds: settings.gitTimeoutSeconds,
      },
      evidence: {
        stores: evidenceStores,
        maxBytes: settings.evidenceMaxBytes,
        retentionHours: settings.evidenceRetentionHours,
      },
      places: settings.concurrency,
      accountLimit: settings.accountConcurrency,
      apiUrl: settings.apiUrl,
    },
    {
      reconcileSeconds: settings.reconcileSeconds,
      stopGraceSeconds: settings.stopGraceSeconds,
      // The rest of the shutdown deadline is left for the last writes of runs, and for closing the broker and the pool.
      storeGraceSeconds: settings.stopDeadlineSeconds * 0.4,
    },
  );
  const schedules =
    settings.serviceRole === 'worker' ? [] : [createScheduleRunner({ db: database.db, broker, logger, metrics })];
  return assembleWorker(connections, {
    shape: flowTriggerSettings,
    settings,
    // Components stop in reverse order: the consumer stops first, so a stopping worker accepts no further execution.
    components: [
      ...schedules,
      createBacklogGauges({ db: database.db, logger, metrics }),
      { name: 'runner', stop: () => runner.stop() },
      ...openToolServerHost(settings, { runner, flowKeys, logger }),
      ...worker.components,
    ],
    stopGraceSeconds: settings.stopGraceSeconds,
    activity: () => ({ ...worker.activity(), agents: separation }),
  });
}

/** Creates the host of tool servers; returns nothing if no port is configured. */
function openToolServerHost(
  settings: SettingsOf<typeof flowTriggerSettings>,
  {
    runner,
    flowKeys,
    logger,
  }: { readonly runner: Runner; readonly flowKeys: readonly [string, ...string[]]; readonly logger: Logger },
): readonly Component[] {
  const { toolServerPort: port, toolServerHost: host, toolServerPrograms: mostPrograms } = settings;
  if (port === undefined) return [];
  const { toolServerIdleSeconds: idleSeconds, workDirectory } = settings;
  const box = createDerivedSecretBox(flowKeys);
  return [createToolServerHost({ host, port, mostPrograms, idleSeconds, workDirectory, runner, box, logger })];
}
