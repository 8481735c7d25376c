import { Type } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { retryExecution } from '@steward/flows';
import { toSessionWriteOptions } from '@steward/sessions';
import type { FlowDeps } from './flow-deps.ts';
import { ExecutionParams, TriggerAnswer } from './flow-schemas.ts';
import { answerTrigger } from './triggers/answer-trigger.ts';

export function createRetryExecutionRoute(deps: FlowDeps): Route {
  return defineRoute({
    operationId: 'retryExecution',
    method: 'post',
    path: '/api/v1/flows/executions/{execution_id}/retry',
    isAct: true,
    permissions: ['execute_flows'],
    summary: 'Retry a failed or stopped execution with the same payload and files.',
    params: ExecutionParams,
    body: Type.Object({}, { additionalProperties: false }),
    bodyOptional: true,
    responses: { 202: { description: 'The new execution.', name: 'AcceptedTrigger', schema: TriggerAnswer } },
    audit: { action: 'retry', resourceType: 'flow_execution' },
    handler: async ({ params, principal: { accountId }, audit, traceparent }) => {
      const { flowId, execution } = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const input = { accountId, executionId: params.execution_id };
        const options = toSessionWriteOptions(deps.settings);
        const outcome = await retryExecution(trx, hints, input, { clock: deps.clock, options });
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'flow_disabled') throw new AppError('flow_disabled');
        if (outcome.kind !== 'accepted') {
          const message =
            outcome.kind === 'flow_gone'
              ? 'The flow was deleted.'
              : 'Only an execution that FAILED or was STOPPED can be retried.';
          throw new AppError('conflict', { message });
        }
        await recordAudit(
          trx,
          audit({ resourceId: params.execution_id, details: { execution_id: outcome.execution.id } }),
        );
        return outcome;
      });
      return answerTrigger(flowId, { kind: 'accepted', execution });
    },
  });
}
