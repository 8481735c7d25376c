import { defineRoute, type Route } from '@steward/http';
import { transact } from '@steward/database';
import { AppError } from '@steward/runtime';
import { recordAudit } from '@steward/slice-gateway';
import { deleteFlow } from '@steward/slice-flows';
import { describeActor } from '../../auth/describe-actor.ts';
import type { FlowDeps } from './flow-deps.ts';
import { FlowParams } from './flow-schemas.ts';

export function createDeleteFlowRoute(deps: FlowDeps): Route {
  return defineRoute({
    method: 'delete',
    path: '/api/v1/flows/{flow_id}',
    auth: 'bearer',
    permissions: ['delete_flows'],
    tag: 'flows',
    summary: 'Delete a flow; its past executions stay readable.',
    params: FlowParams,
    responses: { 204: { description: 'Deleted.' } },
    handler: async ({ params, principal, requestId }) => {
      await transact(deps, async (trx) => {
        const outcome = await deleteFlow(trx, { accountId: principal.accountId, flowId: params.flow_id });
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'execution_active') throw new AppError('execution_active');
        await recordAudit(trx, {
          accountId: principal.accountId,
          actor: describeActor(principal),
          source: 'console',
          action: 'delete',
          resourceType: 'flow',
          resourceId: params.flow_id,
          status: 'success',
          requestId,
        });
      });
      return { status: 204 };
    },
  });
}
