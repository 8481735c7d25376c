import { systemClock } from '@steward/async';
import type { AnyDatabase } from '@steward/database';
import { createBackgroundTask, type Component, type Logger, type Metrics } from '@steward/process';
import {
  countLargeContent,
  countRemovals,
  deleteOldClaims,
  moveContent,
  removeObjects,
  removeOrphans,
  type ContentObjects,
  type MoveOutcome,
} from '@steward/sessions';
import type { BackfillSweeperSettings } from '../config.ts';
import { createObjectMetrics } from './object-metrics.ts';

const MOVE_SECONDS = 10;
const REMOVAL_SECONDS = 10;
const ORPHAN_SECONDS = 3600;
/** Age from which bodies are moved: most changes and reads of a body happen before it reaches this age (LIM-113). */
const LEAST_AGE_SECONDS = 300;
/** Number at which counting the waiting bodies, or the waiting removals, stops. */
const MOST_COUNTED = 100_000;
const CLAIMS_PER_PASS = 1000;

export interface ObjectActivity {
  bodies_moved: number;
  objects_removed: number;
}

export interface ObjectTaskOptions {
  readonly settings: Pick<BackfillSweeperSettings, 'contentObjectBytes'>;
  readonly metrics: Pick<Metrics, 'counter' | 'gauge'>;
  readonly activity: ObjectActivity;
  /** Age in seconds from which bodies are moved. */
  readonly leastAgeSeconds?: number;
}

/**
 * Creates the tasks for large bodies of content: moving them to the object store, removing the objects of deleted and
 * of replaced content, and removing objects that a killed process left behind.
 */
export function createObjectTasks(
  { db, objects, logger }: { readonly db: AnyDatabase; readonly objects: ContentObjects; readonly logger: Logger },
  { settings, metrics, activity, leastAgeSeconds = LEAST_AGE_SECONDS }: ObjectTaskOptions,
): Component[] {
  const { contentObjectBytes: largerThan } = settings;
  const measured = createObjectMetrics(metrics);
  const onOutcome = (outcome: MoveOutcome): void => {
    measured.countMove(outcome);
    if (outcome.kind === 'moved') activity.bodies_moved += 1;
    if (outcome.kind !== 'failed') return;
    const { key, error } = outcome;
    logger.warn('content.move_failed', { account_id: key.accountId, content_id: key.id, error });
  };
  const move = createBackgroundTask({
    name: 'content moves',
    everySeconds: MOVE_SECONDS,
    logger,
    run: async (signal) => {
      try {
        await moveContent({ db, objects }, { largerThan, minAgeSeconds: leastAgeSeconds, signal, onOutcome });
      } finally {
        measured.setWaiting(await countLargeContent(db, largerThan, MOST_COUNTED));
      }
    },
  });
  const removal = createBackgroundTask({
    name: 'content removals',
    everySeconds: REMOVAL_SECONDS,
    logger,
    run: async (signal) => {
      try {
        const removed = await removeObjects({ db, bucket: objects.bucket }, signal);
        measured.countRemoved('deleted', removed);
        activity.objects_removed += removed;
      } finally {
        measured.setRemovals(await countRemovals(db, MOST_COUNTED));
      }
    },
  });
  let after: string | undefined;
  const orphans = createBackgroundTask({
    name: 'content orphans',
    everySeconds: ORPHAN_SECONDS,
    logger,
    run: async (signal) => {
      await deleteOldClaims(db, CLAIMS_PER_PASS);
      const pass = await removeOrphans({ db, bucket: objects.bucket }, { after, now: systemClock.now(), signal });
      after = pass.next;
      measured.countRemoved('orphan', pass.removed);
      measured.countRefused(pass.refused);
      activity.objects_removed += pass.removed;
      if (pass.refused > 0) logger.warn('content.orphans_refused', { objects: pass.refused });
    },
  });
  return [...(largerThan === 0 ? [] : [move]), removal, orphans];
}
