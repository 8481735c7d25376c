import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { acceptTool } from '@steward/tool-servers';
import { AcceptToolBody, ToolAnswer, ToolParams } from './server-schemas.ts';
import { presentTool, type ToolServersDeps } from './tool-servers-deps.ts';

export function createAcceptToolRoute(deps: Pick<ToolServersDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'acceptTool',
    method: 'post',
    path: '/api/v1/mcp-servers/{mcp_server_id}/tools/{tool_name}/accept',
    permissions: ['manage_policies'],
    summary: 'Accept the current definition of a tool.',
    params: ToolParams,
    body: AcceptToolBody,
    bodyOptional: true,
    responses: { 200: { description: 'The tool.', name: 'Tool', schema: ToolAnswer } },
    audit: { action: 'accept_tool', resourceType: 'mcp_server' },
    handler: async ({ params, body, principal: { accountId }, audit }) => {
      const { mcp_server_id: id, tool_name: name } = params;
      const tool = await transact(deps, async (trx) => {
        const outcome = await acceptTool(trx, { accountId, id, name, hash: body.definition_hash });
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'changed_again') {
          const message = 'The tool has changed again. Review the current definition.';
          throw new AppError('conflict', { message, detail: { definition_hash: outcome.tool.hash } });
        }
        const { hash: definition_hash } = outcome.tool;
        await recordAudit(trx, audit({ resourceId: id, details: { tool_name: name, definition_hash } }));
        return outcome.tool;
      });
      return { status: 200, body: presentTool(tool) };
    },
  });
}
