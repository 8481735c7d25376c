import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { loadSettings, systemClock, type RunnableApp } from '@steward/runtime';
import { assembleWorker, connectService } from '@steward/service';
import { flowsMigrations } from '@steward/slice-flows';
import { gatewayMigrations, toSessionWriteOptions } from '@steward/slice-gateway';
import { searchMigrations } from '@steward/slice-search';
import { webhooksMigrations } from '@steward/slice-webhooks';
import { readModelDirectory } from './builtin/model-directory.ts';
import { flowTriggerSettings } from './config.ts';
import { createExecutionWorker } from './execution-worker.ts';
import { createRunner } from './runner/create-runner.ts';

const SLICES = [flowsMigrations, gatewayMigrations, searchMigrations, webhooksMigrations];
const GIT_PROTOCOLS = ['https', 'http', 'ssh', 'git', 'file'];

/** All wiring of the flow worker process. */
export async function buildApp(environment: NodeJS.ProcessEnv): Promise<RunnableApp> {
  const settings = loadSettings(flowTriggerSettings, environment);
  const models = readModelDirectory(settings.models);
  const secrets = [...models.values()].flatMap(({ apiKey }) => apiKey ?? []);
  const runner = await createRunner(settings, environment);
  const connections = await connectService({ service: 'flow-trigger', settings, slices: SLICES, secrets });
  const { broker, database, logger, metrics } = connections;
  const worker = createExecutionWorker(
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
