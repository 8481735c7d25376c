import type { Clock } from '@steward/async';
import type { AnyDatabase } from '@steward/database';
import { tagRoutes } from '@steward/http';
import { onReplica, type Module, type ReplicaDeps } from '@steward/api';
import { createBackgroundTask, type Logger } from '@steward/process';
import { purgeSums, rollUpFacts, SERIES_NAMES } from '@steward/stats';
import { createReadSeriesRoute } from './read-series.ts';

const PURGE_SECONDS = 3600;

export interface StatsDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: { readonly statsRollUpSeconds: number; readonly statsRetentionDays: number };
}

/**
 * Creates the routes and background tasks for series over time (docs/contract/stats.md). Every gateway process may run
 * the aggregation.
 */
export function createStatsModule(deps: StatsDeps & ReplicaDeps): Module {
  const { db, clock, logger, settings } = deps;
  return {
    routes: tagRoutes(
      'stats',
      SERIES_NAMES.map((name) => onReplica((reading: StatsDeps) => createReadSeriesRoute(reading, name), deps)),
    ),
    components: [
      createBackgroundTask({
        name: 'aggregate facts',
        everySeconds: settings.statsRollUpSeconds,
        logger,
        run: async (signal) => void (await rollUpFacts(db, signal)),
      }),
      createBackgroundTask({
        name: 'purge sums',
        everySeconds: PURGE_SECONDS,
        startsLate: true,
        logger,
        run: () => purgeSums(db, { now: clock.now(), retentionDays: settings.statsRetentionDays }),
      }),
    ],
  };
}
