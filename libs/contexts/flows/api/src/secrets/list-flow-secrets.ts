import { Type } from '@sinclair/typebox';
import { defineRoute, pageOf, type Route } from '@steward/http';
import { listSecrets } from '@steward/flows';
import type { FlowDeps } from '../flow-deps.ts';
import { FlowSecretAnswer } from './flow-secret-schemas.ts';

export function createListFlowSecretsRoute(deps: FlowDeps): Route {
  return defineRoute({
    operationId: 'listFlowSecrets',
    method: 'get',
    path: '/api/v1/flow-secrets',
    permissions: ['edit_flows'],
    summary: 'List the named secrets of flows, sorted by name, all on one page. Values are not returned.',
    query: Type.Object({}, { additionalProperties: false }),
    responses: { 200: { description: 'The secrets.', name: 'FlowSecret', schema: pageOf(FlowSecretAnswer) } },
    handler: async ({ principal: { accountId } }) => {
      const items = await listSecrets(deps.db, accountId);
      return { status: 200, body: { items, next_cursor: null } };
    },
  });
}
