import type { Metrics } from '@steward/process';
import type { MoveOutcome } from '@steward/sessions';

/** Metrics of the sweeper about moving bodies to the object store, and about removing objects from it. */
export interface ObjectMetrics {
  countMove(outcome: MoveOutcome): void;
  setWaiting(bodies: number): void;
  setRemovals(entries: number): void;
  countRemoved(reason: 'deleted' | 'orphan', objects: number): void;
  countRefused(objects: number): void;
}

export function createObjectMetrics(metrics: Pick<Metrics, 'counter' | 'gauge'>): ObjectMetrics {
  const moves = metrics.counter(
    'steward_content_moves_total',
    'Bodies of content that were to be moved to the object store, by outcome: moved, changed (meanwhile) or failed.',
    ['outcome'],
  );
  const movedBytes = metrics.counter(
    'steward_content_moved_bytes_total',
    'Size of the bodies that were moved to the object store.',
  );
  const objectBytes = metrics.counter(
    'steward_content_object_bytes_total',
    'Size of the objects in which these bodies are stored, compressed and encrypted.',
  );
  const waiting = metrics.gauge(
    'steward_content_waiting',
    'Bodies above SESSION_CONTENT_OBJECT_BYTES in the database after the last pass; at most 100,000 are counted.',
  );
  const removals = metrics.gauge(
    'steward_content_removals_waiting',
    'Deleted sessions and replaced bodies whose objects have not been removed; at most 100,000 are counted.',
  );
  const removed = metrics.counter(
    'steward_content_objects_removed_total',
    'Objects that were removed, by reason: deleted content, or an orphan that no content names.',
    ['reason'],
  );
  const refused = metrics.counter(
    'steward_content_orphans_refused_total',
    'Objects that no content names and that were not removed because there were too many of them.',
  );
  for (const outcome of ['moved', 'changed', 'failed']) moves.inc({ outcome }, 0);
  for (const reason of ['deleted', 'orphan']) removed.inc({ reason }, 0);
  return {
    countMove(outcome) {
      moves.inc({ outcome: outcome.kind });
      if (outcome.kind !== 'moved') return;
      movedBytes.inc(outcome.bodyBytes);
      objectBytes.inc(outcome.objectBytes);
    },
    setWaiting: (bodies) => waiting.set(bodies),
    setRemovals: (entries) => removals.set(entries),
    countRemoved: (reason, objects) => removed.inc({ reason }, objects),
    countRefused: (objects) => refused.inc(objects),
  };
}
