import { Type } from '@sinclair/typebox';
import { defineRoute, pageOf, PageQuery, readIdPage, toIdPage, type Route } from '@steward/http';
import { listScheduledFlows } from '@steward/flows';
import type { FlowDeps } from '../flow-deps.ts';
import { presentSchedule } from './present-schedule.ts';
import { ScheduleAnswer } from './schedule-schemas.ts';

export function createListSchedulesRoute(deps: Pick<FlowDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'listSchedules',
    method: 'get',
    path: '/api/v1/schedules',
    permissions: ['view_flows'],
    summary: 'List the schedules of flows, with their next due times, newest flow first.',
    query: Type.Object(PageQuery, { additionalProperties: false }),
    responses: { 200: { description: 'A page of schedules.', name: 'FlowSchedule', schema: pageOf(ScheduleAnswer) } },
    handler: async ({ query, principal: { accountId } }) => {
      const page = readIdPage(query);
      const rows = await listScheduledFlows(deps.db, { accountId, ...page });
      return { status: 200, body: toIdPage(rows, page.limit, presentSchedule) };
    },
  });
}
