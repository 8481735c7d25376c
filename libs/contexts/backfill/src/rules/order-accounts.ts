import type { Watermark } from '../watermark.ts';
import { needsWalk, type Gap } from './walk.ts';

export interface PassFacts {
  readonly accountIds: readonly string[];
  /** Watermarks of all accounts that a walk has ever processed. */
  readonly watermarks: ReadonlyMap<string, Watermark>;
  /** Accounts with content that was stored unindexed. */
  readonly gaps: ReadonlyMap<string, NonNullable<Gap>>;
}

/**
 * The accounts with sessions to process: first those advanced longest ago, and among those never processed the oldest
 * account. Every account is served once before any is served again, independent of the processes and their restarts.
 *
 * @param at.restedSince - An account that was advanced later has had its share of this interval.
 */
export function orderAccounts(
  { accountIds, watermarks, gaps }: PassFacts,
  at: { readonly now: Date; readonly horizon: Date | undefined; readonly restedSince: Date },
): string[] {
  const lastPass = (id: string): number => readLastPass(watermarks.get(id), at.now);
  return accountIds
    .filter((id) => needsWalk(watermarks.get(id), { ...at, gap: gaps.get(id) }) && !isResting(watermarks.get(id), at))
    .sort((one, other) => (lastPass(one) === lastPass(other) ? 0 : lastPass(one) - lastPass(other)));
}

/** An account that was advanced since `restedSince` has had its share of this interval. */
export function isResting(
  known: Pick<Watermark, 'lastPassAt'> | undefined,
  { now, restedSince }: { readonly now: Date; readonly restedSince: Date },
): boolean {
  return readLastPass(known, now) > restedSince.getTime();
}

/** A pass in the future was recorded before the clock was set back: its real time is unknown. */
function readLastPass(known: Pick<Watermark, 'lastPassAt'> | undefined, now: Date): number {
  return known === undefined || known.lastPassAt > now ? Number.NEGATIVE_INFINITY : known.lastPassAt.getTime();
}
