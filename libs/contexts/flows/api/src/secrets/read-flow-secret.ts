import { defineRoute, type Route } from '@steward/http';
import { findSecret } from '@steward/flows';
import type { FlowDeps } from '../flow-deps.ts';
import { requireFound } from '@steward/api';
import { FlowSecretAnswer, FlowSecretParams } from './flow-secret-schemas.ts';

export function createReadFlowSecretRoute(deps: FlowDeps): Route {
  return defineRoute({
    operationId: 'readFlowSecret',
    method: 'get',
    path: '/api/v1/flow-secrets/{name}',
    permissions: ['edit_flows'],
    summary: 'Read the time at which a named secret was set. The value of the secret is not returned.',
    params: FlowSecretParams,
    responses: { 200: { description: 'The secret.', name: 'FlowSecret', schema: FlowSecretAnswer } },
    handler: async ({ params, principal: { accountId } }) => {
      const secret = requireFound(await findSecret(deps.db, accountId, params.name));
      return { status: 200, body: secret };
    },
  });
}
