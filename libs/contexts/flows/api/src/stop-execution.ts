import { Type } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { stopExecution } from '@steward/flows';
import { toSessionWriteOptions } from '@steward/sessions';
import type { FlowDeps } from './flow-deps.ts';
import { ExecutionAnswer, ExecutionParams } from './flow-schemas.ts';
import { maskExecution } from './mask-execution.ts';
import { presentExecution } from './present-flow.ts';

export function createStopExecutionRoute(deps: FlowDeps): Route {
  return defineRoute({
    operationId: 'stopExecution',
    method: 'post',
    path: '/api/v1/flows/executions/{execution_id}/stop',
    permissions: ['execute_flows'],
    summary: 'Stop an execution. Stopping a finished execution changes nothing.',
    params: ExecutionParams,
    body: Type.Object({}, { additionalProperties: false }),
    bodyOptional: true,
    responses: {
      202: {
        description: 'The execution. Its status becomes STOPPED once the agent has ended.',
        name: 'Execution',
        schema: ExecutionAnswer,
      },
    },
    audit: { action: 'stop', resourceType: 'flow_execution' },
    handler: async ({ params, principal, audit, traceparent }) => {
      const now = deps.clock.now();
      const execution = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const input = { accountId: principal.accountId, executionId: params.execution_id, now };
        const outcome = await stopExecution(trx, hints, input, toSessionWriteOptions(deps.settings));
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'stopping') {
          await recordAudit(trx, audit({ resourceId: params.execution_id }));
        }
        return outcome.execution;
      });
      return { status: 202, body: presentExecution(maskExecution(execution, principal), deps.clock.now()) };
    },
  });
}
