import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import type { BudgetPeriod } from '../rules/period.ts';

export interface AskedPeriod {
  readonly period: BudgetPeriod;
  readonly timeZone: string;
  readonly at: Date;
}

/** Returns start and end (undefined: no end) of the period in which a call at the time `at` is counted. */
export async function readPeriod(
  db: AnyDatabase,
  { period, timeZone, at }: AskedPeriod,
): Promise<{ readonly start: Date; readonly end: Date | undefined }> {
  const { rows } = await sql<{ start: Date; end: Date | null }>`
    select budgets.start_of(${period}, ${at}, ${timeZone}) as start, budgets.end_of(${period}, ${at}, ${timeZone}) as end
  `.execute(db);
  const [row] = rows;
  return { start: row?.start ?? at, end: row?.end ?? undefined };
}

/**
 * Returns whether the database has a time zone of this name: its list of time zones may be older or newer than that of
 * the process.
 */
export async function knowsTimeZone(db: AnyDatabase, name: string): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from pg_timezone_names where name = ${name}) as known
  `.execute(db);
  return rows[0]?.known === true;
}
