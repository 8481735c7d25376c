import { decodeCursor, defineRoute, encodeCursor, pageOf, readLimit, toPage, type Route } from '@steward/http';
import { findTarget, listOfferedTools } from '@steward/tool-servers';
import { requireFound } from '@steward/api';
import { ServerParams, ServerQuery, ToolAnswer } from './server-schemas.ts';
import { presentTool, type ToolServersDeps } from './tool-servers-deps.ts';

export function createListToolsRoute(deps: Pick<ToolServersDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'listTools',
    method: 'get',
    path: '/api/v1/mcp-servers/{mcp_server_id}/tools',
    permissions: ['view_policies'],
    summary: 'List the tools of a server in order of name, with the accepted definition of each tool that has changed.',
    params: ServerParams,
    query: ServerQuery,
    responses: { 200: { description: 'A page of tools.', name: 'Tool', schema: pageOf(ToolAnswer) } },
    handler: async ({ params, query, principal: { accountId } }) => {
      const key = { accountId, id: params.mcp_server_id };
      const limit = readLimit(query);
      const afterName = decodeCursor(query.cursor)?.id;
      requireFound(await findTarget(deps.db, key));
      const found = await listOfferedTools(deps.db, { ...key, afterName, limit });
      const cursor = ({ definition }: (typeof found)[number]) => encodeCursor('', definition.name);
      return { status: 200, body: toPage(found, limit, { item: presentTool, cursor }) };
    },
  });
}
