import { createBackgroundTask, loadSettings, systemClock, type RunnableApp } from '@steward/runtime';
import { assembleWorker, connectService } from '@steward/service';
import { backfillMigrations } from '@steward/slice-backfill';
import { gatewayMigrations } from '@steward/slice-gateway';
import { searchMigrations } from '@steward/slice-search';
import { backfillSweeperSettings } from './config.ts';
import { runPass } from './sweep/run-pass.ts';

/** Longer than any transaction that stores content takes. */
const SETTLE_SECONDS = 5;
const SLICES = [backfillMigrations, gatewayMigrations, searchMigrations];

/** All wiring of the sweeper process. Switched off, it serves its health and walks nothing. */
export async function buildApp(environment: NodeJS.ProcessEnv): Promise<RunnableApp> {
  const settings = loadSettings(backfillSweeperSettings, environment);
  const connections = await connectService({ service: 'backfill-sweeper', settings, slices: SLICES });
  const { broker, database, logger, metrics } = connections;
  const rows = metrics.counter('steward_backfill_rows_total', 'Chunks written from history.');
  const activity = { enabled: settings.enabled, passes: 0, rows_written: 0, accounts_failed: 0 };
  let startAt: string | undefined;
  const sweep = createBackgroundTask({
    name: 'sweep',
    everySeconds: settings.intervalSeconds,
    logger,
    run: async (signal) => {
      const deps = { db: database.db, broker, clock: systemClock, logger };
      const summary = await runPass(deps, { ...settings, settleSeconds: SETTLE_SECONDS }, { startAt, signal });
      startAt = summary.nextAccountId;
      rows.inc(summary.rows);
      activity.passes += 1;
      activity.rows_written += summary.rows;
      activity.accounts_failed += summary.failed;
    },
  });
  return assembleWorker(connections, {
    shape: backfillSweeperSettings,
    settings,
    components: settings.enabled ? [sweep] : [],
    activity: () => ({ ...activity }),
  });
}
