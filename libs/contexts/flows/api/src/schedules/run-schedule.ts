import { hash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { describeActor, defineRoute, type Route } from '@steward/http';
import {
  findFlow,
  formatLocal,
  hasSchedule,
  readIdempotencyKey,
  readScheduleClock,
  SCHEDULE_DEFAULTS,
} from '@steward/flows';
import { requireFound } from '@steward/api';
import { FlowParams, TriggerAnswer } from '../flow-schemas.ts';
import { requireEnabled } from '../triggers/require-enabled.ts';
import { startFlow, type TriggerDeps } from '../triggers/start-flow.ts';

export function createRunScheduleRoute(deps: TriggerDeps): Route {
  return defineRoute({
    operationId: 'runFlowSchedule',
    method: 'post',
    path: '/api/v1/flows/{flow_id}/schedule/run',
    isAct: true,
    permissions: ['execute_flows'],
    summary: 'Run a scheduled flow now, even if its schedule is paused or another run is active.',
    params: FlowParams,
    body: Type.Object({}, { additionalProperties: false }),
    bodyOptional: true,
    responses: { 202: { description: 'Accepted and stored durably.', name: 'AcceptedTrigger', schema: TriggerAnswer } },
    unaudited: 'The statement that accepts the trigger also writes its audit entry.',
    handler: async ({ params, headers, rawBody, principal, remoteAddress, requestId, traceparent }) => {
      const find = async () => {
        const found = requireFound(await findFlow(deps.db, principal.accountId, params.flow_id));
        if (hasSchedule(found)) return requireEnabled(found);
        throw new AppError('conflict', { message: 'The flow has no schedule.' });
      };
      const flow = await find();
      deps.triggers.budget.spendTrigger(flow.id, remoteAddress);
      const now = await readScheduleClock(deps.db);
      const zone = flow.schedule_config?.time_zone ?? SCHEDULE_DEFAULTS.time_zone;
      const due = { due_at: now.toISOString(), due_local: formatLocal(now, zone), time_zone: zone };
      return startFlow(deps, flow, {
        type: 'schedule',
        secretHash: null,
        findFlow: find,
        readPayload: () => ({ payload: { ...due, late_by_seconds: 0, run_now: true } }),
        rawBody,
        key: readIdempotencyKey(headers, () => hash('sha256', rawBody, 'hex')),
        audit: { actor: describeActor(principal), source: 'console', requestId },
        traceparent,
      });
    },
  });
}
