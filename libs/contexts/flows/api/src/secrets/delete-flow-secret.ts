import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { deleteSecret } from '@steward/flows';
import type { FlowDeps } from '../flow-deps.ts';
import { FlowSecretParams } from './flow-secret-schemas.ts';

export function createDeleteFlowSecretRoute(deps: FlowDeps): Route {
  return defineRoute({
    operationId: 'deleteFlowSecret',
    method: 'delete',
    path: '/api/v1/flow-secrets/{name}',
    permissions: ['edit_flows'],
    summary: 'Delete a named secret. Executions of flows that refer to the secret fail from now on.',
    params: FlowSecretParams,
    responses: { 204: { description: 'Deleted.' } },
    audit: { resourceType: 'flow_secret' },
    handler: async ({ params, principal: { accountId }, audit }) => {
      await transact(deps, async (trx) => {
        if (!(await deleteSecret(trx, accountId, params.name))) throw new AppError('not_found');
        await recordAudit(trx, audit({ resourceId: null, details: { name: params.name } }));
      });
      return { status: 204 };
    },
  });
}
