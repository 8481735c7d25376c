import { Type } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { findScheduledFlow, setSchedulePaused } from '@steward/flows';
import { requireFound } from '@steward/api';
import type { FlowDeps } from '../flow-deps.ts';
import { FlowParams } from '../flow-schemas.ts';
import { presentSchedule } from './present-schedule.ts';
import { ScheduleAnswer } from './schedule-schemas.ts';

const WAYS = {
  pause: {
    operationId: 'pauseFlowSchedule',
    paused: true,
    summary: 'Pause the schedule of a flow: no scheduled runs are started until the schedule is resumed.',
  },
  resume: {
    operationId: 'resumeFlowSchedule',
    paused: false,
    summary: 'Resume the schedule of a flow; runs that were due in the meantime are skipped.',
  },
} as const;

/**
 * Creates the route that pauses or resumes a schedule. Pausing a paused schedule, or resuming one that is not paused,
 * has no effect.
 */
export function createPauseScheduleRoute(deps: Pick<FlowDeps, 'db' | 'broker'>, way: keyof typeof WAYS): Route {
  const { operationId, paused, summary } = WAYS[way];
  return defineRoute({
    operationId,
    method: 'post',
    path: `/api/v1/flows/{flow_id}/schedule/${way}`,
    permissions: ['edit_flows'],
    summary,
    params: FlowParams,
    body: Type.Object({}, { additionalProperties: false }),
    bodyOptional: true,
    responses: { 200: { description: 'The schedule.', name: 'FlowSchedule', schema: ScheduleAnswer } },
    audit: { action: way, resourceType: 'flow' },
    handler: async ({ params, principal: { accountId }, audit }) => {
      const flow = await transact(deps, async (trx) => {
        const key = { accountId, flowId: params.flow_id };
        const outcome = await setSchedulePaused(trx, key, paused);
        if (outcome === 'not_found') throw new AppError('not_found');
        if (outcome === 'no_schedule') throw new AppError('conflict', { message: 'The flow has no schedule.' });
        if (outcome === 'changed') await recordAudit(trx, audit({ resourceId: params.flow_id }));
        return requireFound(await findScheduledFlow(trx, accountId, params.flow_id));
      });
      return { status: 200, body: presentSchedule(flow) };
    },
  });
}
