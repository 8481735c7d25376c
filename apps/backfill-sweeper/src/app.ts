import { KEY_PURPOSES } from '@steward/crypto';
import { gatewayMigrations } from '@steward/gateway-schema';
import {
  createBackgroundTask,
  loadSettings,
  stopTogether,
  type Component,
  type Metrics,
  type RunnableApp,
} from '@steward/process';
import { assembleWorker, connectService, type ServiceConnections } from '@steward/service';
import { approvalsMigrations } from '@steward/approvals';
import { backfillMigrations } from '@steward/backfill';
import { searchMigrations } from '@steward/search';
import { webhooksMigrations } from '@steward/webhooks';
import { sessionsSealedColumns } from '@steward/sessions';
import { backfillSweeperSettings, type BackfillSweeperSettings } from './config.ts';
import { createDeletionTasks } from './deletions/deletion-tasks.ts';
import { createObjectTasks } from './objects/object-tasks.ts';
import { listContentSecrets, openContentBox, openContentStore } from './objects/open-content-store.ts';
import { createBackoff } from './passes/backoff.ts';
import { reindexPass, remaskPass, type RenewalDeps, type RenewalOptions } from './passes/renewal-pass.ts';
import { countSessionsLeft, sweepPass } from './passes/sweep-pass.ts';
import type { PassSummary } from './passes/walk-accounts.ts';
import { createSweepMetrics } from './sweep-metrics.ts';

export const SLICES = [
  approvalsMigrations,
  backfillMigrations,
  gatewayMigrations,
  searchMigrations,
  webhooksMigrations,
];

/** Connects the process. If there is an object store, also checks that the keys of its objects can be decrypted. */
function connect(settings: BackfillSweeperSettings): Promise<ServiceConnections> {
  const box = openContentBox(settings);
  const keys = box && {
    columns: sessionsSealedColumns,
    boxes: { [KEY_PURPOSES.sessionContent]: box },
    variable: 'CONTENT_SECRET_KEY',
    isLost: settings.secretKeyLost,
  };
  return connectService({
    service: 'backfill-sweeper',
    settings,
    slices: SLICES,
    secrets: listContentSecrets(settings),
    ...(keys === undefined ? {} : { keys }),
  });
}

/**
 * Builds the sweeper process. Even if all passes over history are disabled, the process deletes the data of deleted
 * sessions and maintains the object store.
 */
export async function buildApp(environment: NodeJS.ProcessEnv): Promise<RunnableApp> {
  const settings = loadSettings(backfillSweeperSettings, environment);
  const connections = await connect(settings);
  const { broker, database, logger, metrics } = connections;
  const swept = createSweepMetrics(metrics);
  const contentObjects = openContentStore(settings, { logger, metrics });
  const backoff = createBackoff();
  const activity = {
    enabled: settings.enabled,
    passes: 0,
    rows_written: 0,
    rows_remasked: 0,
    rows_reindexed: 0,
    rows_purged: 0,
    bodies_moved: 0,
    objects_removed: 0,
    sessions_expired: 0,
    accounts_failed: 0,
  };
  const deps = { db: database.db, broker, logger, contentObjects };
  const sweep = createBackgroundTask({
    name: 'sweep',
    everySeconds: settings.intervalSeconds,
    logger,
    run: async (signal) => {
      const summary = await sweepPass(deps, settings, { backoff, signal });
      activity.passes += 1;
      activity.rows_written += summary.rows;
      activity.accounts_failed += summary.failed;
      swept.observe(summary);
      // This is a separate try block, so that the written rows are reported even if the remaining ones cannot be
      // counted.
      try {
        swept.observeLeft(await countSessionsLeft(database.db, settings));
      } catch (error) {
        logger.warn('sweep.count_failed', { error });
      }
    },
  });
  const remasked = metrics.counter('steward_remask_rows_total', 'Chunks masked again with newer rules.');
  const reindexed = metrics.counter('steward_reindex_rows_total', 'Chunks indexed again with newer word rules.');
  const noteRows =
    (counter: ReturnType<Metrics['counter']>, figure: 'rows_remasked' | 'rows_reindexed') => (summary: PassSummary) => {
      counter.inc(summary.rows);
      activity[figure] += summary.rows;
      activity.accounts_failed += summary.failed;
    };
  const remask = createRenewal(deps, {
    name: 'remask',
    everySeconds: settings.remaskIntervalSeconds,
    options: { maxRowsPerPass: settings.remaskMaxRowsPerPass, maxSeconds: settings.remaskMaxSeconds },
    pass: remaskPass,
    note: noteRows(remasked, 'rows_remasked'),
  });
  const reindex = createRenewal(deps, {
    name: 'reindex',
    everySeconds: settings.reindexIntervalSeconds,
    options: { maxRowsPerPass: settings.reindexMaxRowsPerPass, maxSeconds: settings.reindexMaxSeconds },
    pass: reindexPass,
    note: noteRows(reindexed, 'rows_reindexed'),
  });
  return assembleWorker(connections, {
    shape: backfillSweeperSettings,
    settings,
    components: [
      stopTogether('tasks', [
        ...(settings.enabled ? [sweep] : []),
        ...(settings.remaskEnabled ? [remask] : []),
        ...(settings.reindexEnabled ? [reindex] : []),
        ...createDeletionTasks(deps, { settings, metrics, activity }),
        ...(contentObjects === undefined
          ? []
          : createObjectTasks({ ...deps, objects: contentObjects }, { settings, metrics, activity })),
      ]),
    ],
    activity: () => ({ ...activity }),
  });
}

interface Renewal {
  readonly name: string;
  readonly everySeconds: number;
  readonly options: RenewalOptions;
  readonly pass: typeof remaskPass;
  note(summary: PassSummary): void;
}

/**
 * Creates the task that runs passes. Each pass begins at the account at which the previous pass exhausted its budget.
 */
function createRenewal(deps: RenewalDeps, { name, everySeconds, options, pass, note }: Renewal): Component {
  let startAt: string | undefined;
  return createBackgroundTask({
    name,
    everySeconds,
    logger: deps.logger,
    run: async (signal) => {
      const summary = await pass(deps, options, { startAt, signal });
      startAt = summary.nextAccountId;
      note(summary);
    },
  });
}
