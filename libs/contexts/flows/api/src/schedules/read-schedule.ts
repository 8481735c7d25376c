import { defineRoute, type Route } from '@steward/http';
import { findScheduledFlow } from '@steward/flows';
import { requireFound } from '@steward/api';
import type { FlowDeps } from '../flow-deps.ts';
import { FlowParams } from '../flow-schemas.ts';
import { presentSchedule } from './present-schedule.ts';
import { ScheduleAnswer } from './schedule-schemas.ts';

export function createReadScheduleRoute(deps: Pick<FlowDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'readFlowSchedule',
    method: 'get',
    path: '/api/v1/flows/{flow_id}/schedule',
    permissions: ['view_flows'],
    summary: 'Read the schedule of a flow, with its next five due times.',
    params: FlowParams,
    responses: { 200: { description: 'The schedule.', name: 'FlowSchedule', schema: ScheduleAnswer } },
    handler: async ({ params, principal: { accountId } }) => {
      const flow = requireFound(await findScheduledFlow(deps.db, accountId, params.flow_id));
      return { status: 200, body: presentSchedule(flow) };
    },
  });
}
