import type { Static } from '@sinclair/typebox';
import type { Clock } from '@steward/async';
import { isTimeZone, knowsTimeZone } from '@steward/budgets';
import { AppError } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { readSeries, SERIES, STEP_LIMITS, type SeriesName, type SeriesStep } from '@steward/stats';
import { createSeriesQuery, SeriesAnswer } from './series-schemas.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DEFAULT_GROUPS = 10;
/**
 * Earliest start of a range: before this time, the UTC offset of some time zones was not a whole number of quarter
 * hours.
 */
const EARLIEST = Date.UTC(2000, 0, 1);

interface Deps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
}

/**
 * Creates the route GET /api/v1/stats/{name}, which returns a series; there is one route for each name, with its own
 * permission and groupings.
 */
export function createReadSeriesRoute({ db, clock }: Deps, name: SeriesName): Route {
  const { operationId, permission, summary, description } = SERIES[name];
  return defineRoute({
    operationId,
    method: 'get',
    path: `/api/v1/stats/${name}`,
    permissions: [permission],
    summary,
    description,
    query: createSeriesQuery(name),
    responses: { 200: { description: 'The series.', name: 'Series', schema: SeriesAnswer } },
    handler: async ({ query, principal: { accountId } }) => {
      const timeZone = query.time_zone ?? 'UTC';
      if (!isTimeZone(timeZone) || (timeZone !== 'UTC' && !(await knowsTimeZone(db, timeZone))))
        throw refuse('time_zone', `There is no time zone "${timeZone}": send an IANA name, such as Europe/Berlin.`);
      if (query.key !== undefined && query.group_by === undefined)
        throw refuse('key', 'Set "group_by" too: it determines what "key" refers to.');
      const range = readRange(query, clock.now());
      const series = await readSeries(db, {
        ...{ ...range, accountId, name, timeZone, groupBy: query.group_by, key: query.key },
        limit: query.limit ?? DEFAULT_GROUPS,
      });
      return {
        status: 200,
        body: {
          name,
          from: series.times[0] ?? range.from,
          to: series.to,
          step: range.step,
          time_zone: timeZone,
          group_by: query.group_by ?? null,
          times: [...series.times],
          total: series.total,
          groups: [...series.groups],
          truncated: series.groupCount > series.groups.length,
        },
      };
    },
  });
}

type Query = Static<ReturnType<typeof createSeriesQuery>>;

function readRange(query: Query, now: Date): { readonly from: Date; readonly to: Date; readonly step: SeriesStep } {
  const to = query.to === undefined ? now : new Date(query.to);
  const from = query.from === undefined ? new Date(to.getTime() - DAY_MS) : new Date(query.from);
  const rangeMs = to.getTime() - from.getTime();
  const step = query.step ?? (rangeMs <= 7 * DAY_MS ? 'hour' : 'day');
  if (rangeMs <= 0) throw refuse('from', '"from" must be before "to".');
  if (from.getTime() < EARLIEST) throw refuse('from', '"from" must be in 2000 or later.');
  const limit = STEP_LIMITS[step];
  if (rangeMs > limit.rangeMs)
    throw refuse('step', `With "step" ${step}, the range must not be longer than ${limit.text}: choose a longer step.`);
  // Steps of a minute are computed from facts, which are retained for 25 hours.
  if (step === 'minute' && now.getTime() - from.getTime() > limit.rangeMs + MINUTE_MS)
    throw refuse('from', `With "step" minute, "from" must be in the last ${limit.text}.`);
  return { from, to, step };
}

function refuse(field: string, message: string): AppError {
  return new AppError('invalid_request', { message, detail: { field } });
}
