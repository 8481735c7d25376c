import { Type } from '@sinclair/typebox';
import { defineRoute, type Route } from '@steward/http';
import { transact } from '@steward/database';
import { AppError } from '@steward/runtime';
import { recordAudit, toSessionWriteOptions } from '@steward/slice-gateway';
import { retryExecution } from '@steward/slice-flows';
import { describeActor } from '../../auth/describe-actor.ts';
import type { FlowDeps } from './flow-deps.ts';
import { ExecutionParams, TriggerAnswer } from './flow-schemas.ts';
import { answerTrigger } from './trigger-answer.ts';

export function createRetryExecutionRoute(deps: FlowDeps): Route {
  return defineRoute({
    method: 'post',
    path: '/api/v1/flows/executions/{execution_id}/retry',
    auth: 'bearer',
    permissions: ['execute_flows'],
    tag: 'flow executions',
    summary: 'Start a new execution with the payload and files of one that failed or was stopped.',
    params: ExecutionParams,
    body: Type.Object({}, { additionalProperties: false }),
    bodyOptional: true,
    responses: { 202: { description: 'The new execution.', schema: TriggerAnswer } },
    handler: async ({ params, principal, requestId }) => {
      const now = deps.clock.now();
      const execution = await transact(deps, async (trx, hints) => {
        const input = { accountId: principal.accountId, executionId: params.execution_id, now };
        const outcome = await retryExecution(trx, hints, input, toSessionWriteOptions(deps.settings));
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'flow_disabled') throw new AppError('flow_disabled');
        if (outcome.kind !== 'accepted') {
          const message =
            outcome.kind === 'flow_gone'
              ? 'The flow was deleted.'
              : 'Only an execution that FAILED or was STOPPED can be retried.';
          throw new AppError('conflict', { message });
        }
        await recordAudit(trx, {
          accountId: principal.accountId,
          actor: describeActor(principal),
          source: 'console',
          action: 'retry',
          resourceType: 'flow_execution',
          resourceId: params.execution_id,
          status: 'success',
          details: { execution_id: outcome.execution.id },
          requestId,
        });
        return outcome.execution;
      });
      return answerTrigger(execution.flow_id, { kind: 'accepted', execution });
    },
  });
}
