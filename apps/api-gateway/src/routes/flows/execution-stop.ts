import { Type } from '@sinclair/typebox';
import { defineRoute, type Route } from '@steward/http';
import { transact } from '@steward/database';
import { AppError } from '@steward/runtime';
import { recordAudit, toSessionWriteOptions } from '@steward/slice-gateway';
import { stopExecution } from '@steward/slice-flows';
import { describeActor } from '../../auth/describe-actor.ts';
import type { FlowDeps } from './flow-deps.ts';
import { ExecutionAnswer, ExecutionParams } from './flow-schemas.ts';
import { presentExecution } from './present-flow.ts';

export function createStopExecutionRoute(deps: FlowDeps): Route {
  return defineRoute({
    method: 'post',
    path: '/api/v1/flows/executions/{execution_id}/stop',
    auth: 'bearer',
    permissions: ['execute_flows'],
    tag: 'flow executions',
    summary: 'Stop an execution; stopping one that ended changes nothing.',
    params: ExecutionParams,
    body: Type.Object({}, { additionalProperties: false }),
    bodyOptional: true,
    responses: { 202: { description: 'The execution; it is STOPPED once its agent ended.', schema: ExecutionAnswer } },
    handler: async ({ params, principal, requestId }) => {
      const now = deps.clock.now();
      const execution = await transact(deps, async (trx, hints) => {
        const input = { accountId: principal.accountId, executionId: params.execution_id, now };
        const outcome = await stopExecution(trx, hints, input, toSessionWriteOptions(deps.settings));
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'stopping') {
          await recordAudit(trx, {
            accountId: principal.accountId,
            actor: describeActor(principal),
            source: 'console',
            action: 'stop',
            resourceType: 'flow_execution',
            resourceId: params.execution_id,
            status: 'success',
            requestId,
          });
        }
        return outcome.execution;
      });
      return { status: 202, body: presentExecution(execution, deps.clock.now()) };
    },
  });
}
