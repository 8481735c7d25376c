import type { EventData } from '@steward/contracts';

const HOUR_MS = 3_600_000;

/** Returns the three deadlines of a report, in UTC: 24 hours, 72 hours and 14 days of 24 hours after the discovery. */
export function computeDeadlines(discoveredAt: Date): EventData<'cra.reportable_vulnerability'>['deadlines'] {
  const after = (hours: number): string => new Date(discoveredAt.getTime() + hours * HOUR_MS).toISOString();
  return { early_warning_24h: after(24), notification_72h: after(72), final_report_14d: after(14 * 24) };
}
