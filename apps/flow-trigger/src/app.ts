import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { loadSettings, StartupError, systemClock, type RunnableApp } from '@steward/runtime';
import { assembleWorker, connectService } from '@steward/service';
import { flowsMigrations } from '@steward/slice-flows';
import { gatewayMigrations, toSessionWriteOptions } from '@steward/slice-gateway';
import { searchMigrations } from '@steward/slice-search';
import { webhooksMigrations } from '@steward/slice-webhooks';
import { readModelDirectory } from './builtin/model-directory.ts';
import { flowTriggerSettings } from './config.ts';
import { createExecutionWorker } from './execution-worker.ts';
import { createProcessRunner } from './runner/process-runner.ts';

const SLICES = [flowsMigrations, gatewayMigrations, searchMigrations, webhooksMigrations];
const GIT_PROTOCOLS = ['https', 'http', 'ssh', 'git', 'file'];
const KILL_AFTER_MS = 5000;
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

/** All wiring of the flow worker process. */
export async function buildApp(environment: NodeJS.ProcessEnv): Promise<RunnableApp> {
  const settings = loadSettings(flowTriggerSettings, environment);
  if (settings.runner === 'docker') {
    throw new StartupError('FLOW_RUNNER=docker is not available in this version; use FLOW_RUNNER=process');
  }
  const models = readModelDirectory(settings.models);
  const secrets = [...models.values()].flatMap(({ apiKey }) => apiKey ?? []);
  const connections = await connectService({ service: 'flow-trigger', settings, slices: SLICES, secrets });
  const { broker, database, logger, metrics } = connections;
  const worker = createExecutionWorker(
    {
      db: database.db,
      broker,
      clock: systemClock,
      logger,
      metrics,
      runner: createProcessRunner({ killAfterMs: KILL_AFTER_MS, path: environment.PATH ?? DEFAULT_PATH }),
      options: toSessionWriteOptions(settings),
      workerId: `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`,
      workDirectory: settings.workDirectory,
      leaseSeconds: settings.leaseSeconds,
      maxLogBytes: settings.maxLogBytes,
      models,
      clone: {
        protocols: settings.gitProtocols.length === 0 ? GIT_PROTOCOLS : settings.gitProtocols,
        timeoutSeconds: settings.gitTimeoutSeconds,
      },
      evidence: {
        directory: settings.evidenceDirectory,
        maxBytes: settings.evidenceMaxBytes,
        retentionHours: settings.evidenceRetentionHours,
      },
      accountLimit: settings.accountConcurrency,
      apiUrl: settings.apiUrl,
    },
    {
      concurrency: settings.concurrency,
      reconcileSeconds: settings.reconcileSeconds,
      // Leaves the rest of the deadline for ending the agents, the broker and the pool.
      drainSeconds: settings.stopDeadlineSeconds * 0.4,
    },
  );
  return assembleWorker(connections, {
    shape: flowTriggerSettings,
    settings,
    components: worker.components,
    activity: worker.activity,
  });
}
