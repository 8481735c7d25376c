import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { deleteFlow } from '@steward/flows';
import { leaveHook } from '@steward/trackers';
import type { FlowDeps } from './flow-deps.ts';
import { FlowParams } from './flow-schemas.ts';

export function createDeleteFlowRoute(deps: FlowDeps): Route {
  return defineRoute({
    operationId: 'deleteFlow',
    method: 'delete',
    path: '/api/v1/flows/{flow_id}',
    permissions: ['delete_flows'],
    summary: 'Delete a flow. Past executions of the flow remain readable.',
    params: FlowParams,
    responses: { 204: { description: 'Deleted.' } },
    audit: { resourceType: 'flow' },
    handler: async ({ params, principal: { accountId }, audit }) => {
      await transact(deps, async (trx) => {
        const outcome = await deleteFlow(trx, { accountId, flowId: params.flow_id });
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'execution_active') throw new AppError('execution_active');
        await leaveHook(trx, accountId, params.flow_id);
        await recordAudit(trx, audit({ resourceId: params.flow_id }));
      });
      return { status: 204 };
    },
  });
}
