import type { Clock } from '@steward/async';
import { DELIVERY_CONTRACT } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { createBackgroundTask, StartupError, type Component, type Logger } from '@steward/process';
import { readClockSkewSeconds } from '@steward/webhooks';
import type { DispatcherMetrics } from '../dispatcher-metrics.ts';

const CHECK_EVERY_SECONDS = 60;
/**
 * Minimum difference in seconds for a warning; the measured difference may be wrong by up to half of the network round
 * trip.
 */
const WORTH_A_WARNING = 5;

interface ClockCheckDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: DispatcherMetrics;
}

/**
 * Refuses to start if the clock differs so much from the database's that receivers would refuse every signature.
 * @throws StartupError naming the difference.
 */
export async function requireClock({ db, clock }: Pick<ClockCheckDeps, 'db' | 'clock'>): Promise<void> {
  const seconds = await readClockSkewSeconds(db, clock);
  if (Math.abs(seconds) < DELIVERY_CONTRACT.toleranceSeconds) return;
  throw new StartupError(
    `the clock of this machine is ${Math.round(seconds)} s ahead of the clock of the database; receivers would refuse every signature`,
  );
}

/**
 * Creates the task that keeps monitoring the clock. It only logs a warning and sets a gauge, because deliveries from a
 * machine with clock drift are still better than none.
 */
export function createClockTask(deps: ClockCheckDeps): Component {
  const { db, clock, logger, metrics } = deps;
  return createBackgroundTask({
    name: 'clock check',
    everySeconds: CHECK_EVERY_SECONDS,
    logger,
    run: async () => {
      const seconds = await readClockSkewSeconds(db, clock);
      metrics.setClockSkew(seconds);
      if (Math.abs(seconds) < WORTH_A_WARNING) return;
      logger.warn('clock.skewed', { ahead_of_database_seconds: Math.round(seconds) });
    },
  });
}
