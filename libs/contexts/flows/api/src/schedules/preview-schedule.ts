import { Type } from '@sinclair/typebox';
import { defineRoute, type Route } from '@steward/http';
import { readScheduleClock, type ScheduleConfig } from '@steward/flows';
import type { FlowDeps } from '../flow-deps.ts';
import { presentDues } from './present-schedule.ts';
import { requireSchedule } from './require-schedule.ts';
import { NextDueTimes, ScheduleConfigFields } from './schedule-schemas.ts';

export function createPreviewScheduleRoute(deps: Pick<FlowDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'previewSchedule',
    method: 'post',
    path: '/api/v1/schedules/preview',
    permissions: ['view_flows'],
    summary: 'Preview the next five due times of a schedule. The schedule is validated but not stored.',
    body: Type.Object({ schedule_config: ScheduleConfigFields }, { additionalProperties: false }),
    bodyExample: { schedule_config: { cron: '30 6 * * 1-5', time_zone: 'Europe/Berlin' } },
    responses: { 200: { description: 'The due times.', name: 'NextDueTimes', schema: NextDueTimes } },
    unaudited: 'The preview changes nothing.',
    handler: async ({ body }) => {
      const config = body.schedule_config as ScheduleConfig;
      await requireSchedule(deps.db, { trigger: 'schedule', schedule_config: config });
      const now = await readScheduleClock(deps.db);
      return { status: 200, body: presentDues(config, now, now) };
    },
  });
}
