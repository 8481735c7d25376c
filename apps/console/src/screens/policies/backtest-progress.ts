import type { Backtest } from '../../api/answers.ts';

/**
 * Returns the share of a backtest that is done, from 0 to 1. Calls are examined from the newest to the oldest, and
 * their number is not known. The result is therefore the examined share of the time range or, if larger, the number of
 * examined calls divided by the limit.
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
