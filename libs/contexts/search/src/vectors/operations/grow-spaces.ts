import type { Clock } from '@steward/async';
import type { AnyDatabase } from '@steward/database';
import type { Logger } from '@steward/process';
import { backOff } from '../../embedding/rules/work-delay.ts';
import { countExactVectors, MOVED_AT_ONCE, WIDEST } from '../rules/retrieval.ts';
import * as store from '../store/upkeep.store.ts';

export interface GrowthDeps {
  readonly db: AnyDatabase;
  readonly logger: Pick<Logger, 'warn'>;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Does one step of maintenance. Returns the number of vectors moved; 0 if nothing is left to do. */
export type GrowSpaces = () => Promise<number>;

export interface SpaceGrowth {
  /**
   * Returns a function that does the next step of maintenance on each call. The first step begins with the lowest ids;
   * each further step continues at the position of the previous one.
   */
  beginRun(): GrowSpaces;
}

/**
 * Maintains spaces, in one process: a space that has outgrown the shared table gets a separate table (segment), and
 * each step moves a batch of vectors of each such space to its segment. Searches read both tables while vectors are
 * being moved.
 */
export function createSpaceGrowth(deps: GrowthDeps): SpaceGrowth {
  const makeSegments = createSegmentMaker(deps);
  return {
    beginRun() {
      const moveOn = createMover(deps.db);
      return async () => {
        await makeSegments();
        return moveOn();
      };
    },
  };
}

/**
 * Returns a function that creates segments. Waiting for a locked space takes seconds, so the delay before the next
 * attempt doubles after each failure.
 */
function createSegmentMaker({ db, logger, clock, random }: GrowthDeps): () => Promise<void> {
  const postponed = new Map<string, { readonly until: number; readonly attempts: number }>();

  async function make(spaceId: string): Promise<void> {
    if (await store.makeSegment(db, spaceId)) {
      postponed.delete(spaceId);
      return;
    }
    const attempts = (postponed.get(spaceId)?.attempts ?? 0) + 1;
    const waitMs = backOff(attempts, random());
    postponed.set(spaceId, { until: clock.now().getTime() + waitMs, attempts });
    logger.warn('vectors.segment_postponed', { space_id: spaceId, attempts, wait_ms: waitMs });
  }

  return async () => {
    for (const { id, width, written } of await store.listWrittenSpaces(db, countExactVectors(WIDEST))) {
      if ((postponed.get(id)?.until ?? 0) > clock.now().getTime()) continue;
      const most = countExactVectors(width);
      if (written > most && (await store.countVectors(db, id)) > most) await make(id);
    }
  };
}

/**
 * Returns a function that moves vectors. The function continues after the last moved id of each space: otherwise every
 * step would read past all rows that were already moved.
 */
function createMover(db: AnyDatabase): GrowSpaces {
  const places = new Map<string, string>();
  return async () => {
    let sum = 0;
    for (const space of await store.listMovingSpaces(db, [...places.keys()])) {
      const after = places.get(space.id);
      places.delete(space.id);
      const { moved, lastId } = await store.moveVectors(db, { ...space, after, limit: MOVED_AT_ONCE });
      if (moved === MOVED_AT_ONCE && lastId !== undefined) places.set(space.id, lastId);
      sum += moved;
    }
    return sum;
  };
}
