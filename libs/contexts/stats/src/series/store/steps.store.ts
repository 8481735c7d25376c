import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import type { SeriesStep } from '../steps.ts';

export interface StepRange {
  readonly from: Date;
  readonly to: Date;
  readonly step: SeriesStep;
  readonly timeZone: string;
}

/**
 * Returns the start times of the steps in the time zone, from the step that contains `from` to the last step before
 * `to`, and then the end of the last step. A day of the time zone may have 23 or 25 hours.
 */
export async function listStepTimes(db: AnyDatabase, { from, to, step, timeZone }: StepRange): Promise<Date[]> {
  const local = (time: Date): RawBuilder<unknown> =>
    sql`date_trunc(${step}, ${time}::timestamptz at time zone ${timeZone})`;
  // Only days are computed in local time, because hours and minutes of local time are skipped or repeated when the
  // clocks change.
  const days = sql`
    select day at time zone ${timeZone} as at
    from generate_series(${local(from)}, ${to}::timestamptz at time zone ${timeZone} + interval '1 day', interval '1 day') day`;
  const shorter = sql`
    select at from generate_series(
      -- Local minutes past the hour are those of the zone's offset at that time.
      date_trunc(${step}, ${from}::timestamptz, ${timeZone}), ${to}::timestamptz + ${`1 ${step}`}::interval, ${`1 ${step}`}::interval) at`;
  const { rows } = await sql<{ at: Date }>`
    select distinct at from (${step === 'day' ? days : shorter}) t order by at
  `.execute(db);
  const end = rows.findIndex(({ at }) => at >= to);
  return rows.slice(0, end + 1).map(({ at }) => at);
}
