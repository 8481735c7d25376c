import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { createToolServer } from '@steward/tool-servers';
import { CreateServerBody, ServerAnswer } from './server-schemas.ts';
import {
  describeServerChange,
  prepareSave,
  presentServer,
  refuseName,
  requirePlace,
  type ToolServersDeps,
} from './tool-servers-deps.ts';

export function createCreateServerRoute(deps: ToolServersDeps): Route {
  return defineRoute({
    operationId: 'createToolServer',
    method: 'post',
    path: '/api/v1/mcp-servers',
    permissions: ['manage_policies'],
    summary: 'Add a tool server.',
    body: CreateServerBody,
    bodyExample: { name: 'github', url: 'https://mcp.example.com/mcp', headers: { authorization: 'Bearer token' } },
    responses: { 201: { description: 'The tool server.', name: 'ToolServer', schema: ServerAnswer } },
    audit: { resourceType: 'mcp_server' },
    handler: async ({ body, principal, audit }) => {
      const { accountId } = principal;
      requirePlace(body);
      const prepared = await prepareSave(deps, body, principal);
      const server = await transact(deps, async (trx) => {
        const outcome = await createToolServer(trx, { accountId, ...prepared }, deps.secretBoxes.toolServer);
        if (outcome.kind === 'name_taken') throw refuseName();
        await recordAudit(trx, audit({ resourceId: outcome.server.id, details: describeServerChange(body) }));
        return outcome.server;
      });
      return { status: 201, body: presentServer(server, { reader: principal, box: deps.secretBoxes.toolServer }) };
    },
  });
}
