import type { Watermark } from '../watermark.ts';
import { needsWalk, type Gap } from './walk.ts';

export interface PassFacts {
  readonly accountIds: readonly string[];
  /** Of the accounts that were ever walked. */
  readonly watermarks: ReadonlyMap<string, Watermark>;
  /** Of the accounts that have content stored without being indexed. */
  readonly gaps: ReadonlyMap<string, NonNullable<Gap>>;
}

/**
 * The accounts that have something to walk, whoever advanced longest ago first, and of those never walked the oldest account:
 * each has its turn before any has a second one, whichever process gave the last ones and however often processes begin anew.
 *
 * @param at.restedSince - An account that anybody advanced later has had its share of this interval.
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

/** An account that anybody advanced since `restedSince` has had its share of this interval. */
export function isResting(
  known: Pick<Watermark, 'lastPassAt'> | undefined,
  { now, restedSince }: { readonly now: Date; readonly restedSince: Date },
): boolean {
  return readLastPass(known, now) > restedSince.getTime();
}

/** A pass in the future was noted before the clock was set back: when it was, nobody knows. */
function readLastPass(known: Pick<Watermark, 'lastPassAt'> | undefined, now: Date): number {
  return known === undefined || known.lastPassAt > now ? Number.NEGATIVE_INFINITY : known.lastPassAt.getTime();
}
