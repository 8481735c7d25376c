import type { Backtest } from '../../api/answers.ts';

/**
 * The share of a backtest that is done, from 0 to 1: by time, since calls are examined newest first and their number is
 * not known, or by the limit of calls if that is reached earlier.
 */
export function readProgress({
  finished_at: finishedAt,
  since,
  until,
  examined,
  limit,
  examined_back_to: reached,
}: Pick<Backtest, 'finished_at' | 'since' | 'until' | 'examined' | 'limit' | 'examined_back_to'>): number {
  if (finishedAt !== null) return 1;
  const end = Date.parse(until);
  const byTime = reached === null ? 0 : (end - Date.parse(reached)) / (end - Date.parse(since));
  return Math.min(1, Math.max(byTime, examined / limit));
}
