import type { Backtest } from '../../api/answers.ts';

/**
 * Returns the share of a backtest that is done, from 0 to 1. Calls are examined newest first and their number is not
 * known, so the share is that of the time range or, if larger, that of the limit of calls.
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
