import { defineRoute, pageOf, readIdPage, toIdPage, type Route } from '@steward/http';
import { findToolServer, listToolServers } from '@steward/tool-servers';
import { requireFound } from '@steward/api';
import { ServerAnswer, ServerParams, ServerQuery } from './server-schemas.ts';
import { presentServer, type ToolServersDeps } from './tool-servers-deps.ts';

export function createListServersRoute(deps: Pick<ToolServersDeps, 'db' | 'secretBoxes'>): Route {
  return defineRoute({
    operationId: 'listToolServers',
    method: 'get',
    path: '/api/v1/mcp-servers',
    permissions: ['view_policies'],
    summary: 'List the tool servers of the account, newest first.',
    query: ServerQuery,
    responses: { 200: { description: 'A page of tool servers.', name: 'ToolServer', schema: pageOf(ServerAnswer) } },
    handler: async ({ query, principal }) => {
      const { accountId } = principal;
      const page = readIdPage(query);
      const found = await listToolServers(deps.db, { accountId, ...page });
      return {
        status: 200,
        body: toIdPage(found, page.limit, (server) =>
          presentServer(server, { reader: principal, box: deps.secretBoxes.toolServer }),
        ),
      };
    },
  });
}

export function createReadServerRoute(deps: Pick<ToolServersDeps, 'db' | 'secretBoxes'>): Route {
  return defineRoute({
    operationId: 'readToolServer',
    method: 'get',
    path: '/api/v1/mcp-servers/{mcp_server_id}',
    permissions: ['view_policies'],
    summary: 'Read a tool server.',
    params: ServerParams,
    responses: { 200: { description: 'The tool server.', name: 'ToolServer', schema: ServerAnswer } },
    handler: async ({ params, principal }) => {
      const { accountId } = principal;
      const server = requireFound(await findToolServer(deps.db, { accountId, id: params.mcp_server_id }));
      return { status: 200, body: presentServer(server, { reader: principal, box: deps.secretBoxes.toolServer }) };
    },
  });
}
