import type { Watermark } from '../watermark.ts';
import { needsWalk, type Gap } from './walk.ts';

export interface PassFacts {
  readonly accountIds: readonly string[];
  /** Watermarks of those accounts that a walk has processed, by account id. */
  readonly watermarks: ReadonlyMap<string, Watermark>;
  /** Gaps of those accounts with content that was stored unindexed, by account id. */
  readonly gaps: ReadonlyMap<string, NonNullable<Gap>>;
}

/**
 * Returns the ids of the accounts with sessions to process: first those never processed, the oldest account first, then
 * those whose walk was advanced longest ago. Every account is served once before any is served again, regardless of the
 * number of processes and of restarts.
 *
 * @param at.restedSince - An account whose walk was advanced after this time has already had its share of this
 * interval.
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

/**
 * Returns whether an account has already had its share of this interval: its walk has been advanced since
 * `restedSince`.
 */
export function isResting(
  known: Pick<Watermark, 'lastPassAt'> | undefined,
  { now, restedSince }: { readonly now: Date; readonly restedSince: Date },
): boolean {
  return readLastPass(known, now) > restedSince.getTime();
}

/**
 * Returns the time of the last pass; negative infinity if there was none. A time in the future was recorded before the
 * clock was set back: the real time of the pass is then unknown, and the account is treated as never processed.
 */
function readLastPass(known: Pick<Watermark, 'lastPassAt'> | undefined, now: Date): number {
  return known === undefined || known.lastPassAt > now ? Number.NEGATIVE_INFINITY : known.lastPassAt.getTime();
}
