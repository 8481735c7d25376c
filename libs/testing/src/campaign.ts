/** Name of the variable that is set in a run with campaigns of full size: `npm test -- --full`. */
export const FULL_CAMPAIGNS = 'STEWARD_FULL_CAMPAIGNS';

/**
 * Returns the size of a campaign of random or repeated attacks. A daily run uses the smallest size that still proves
 * the rule; the nightly run uses the full size.
 */
export function sizeCampaign({ daily, full }: { readonly daily: number; readonly full: number }): number {
  return process.env[FULL_CAMPAIGNS] === 'true' ? full : daily;
}

/**
 * Returns the seed of a campaign: the date (UTC) as a number, so that the random cases of one day are the same
 * everywhere, and differ from those of the next day. `CAMPAIGN_SEED=20261128` repeats the run of that day.
 */
export function seedCampaign(now = new Date()): number {
  return Number(process.env['CAMPAIGN_SEED'] ?? now.toISOString().slice(0, 10).replaceAll('-', ''));
}

/**
 * Returns true if a case of a table is tested today: each day one in `days` cases, each day different ones; in the
 * nightly run all of them. If the number of a case is the sum of its row and column, the cases of a day are spread over
 * all rows and all columns.
 */
export function isTriedToday(number: number, days: number, now?: Date): boolean {
  return sizeCampaign({ daily: (number + countDays(seedCampaign(now))) % days, full: 0 }) === 0;
}

/** Converts a date to the number of days since 1970. */
function countDays(date: number): number {
  return Date.UTC(Math.floor(date / 10_000), (Math.floor(date / 100) % 100) - 1, date % 100) / 86_400_000;
}
