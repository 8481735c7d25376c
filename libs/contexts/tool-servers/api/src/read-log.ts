import { Type } from '@sinclair/typebox';
import { AppError, HOSTED_SERVER_LOG_PATH } from '@steward/contracts';
import { defineRoute, type Route } from '@steward/http';
import { findTarget, openReached } from '@steward/tool-servers';
import { requireFound } from '@steward/api';
import { ServerParams } from './server-schemas.ts';
import type { RefreshDeps } from './tool-servers-deps.ts';

const LogAnswer = Type.Object({
  lines: Type.Array(Type.String(), {
    description: 'At most the last 200 lines, oldest first, each with its time; credentials are masked.',
  }),
});

export function createReadLogRoute(deps: RefreshDeps): Route {
  return defineRoute({
    operationId: 'readToolServerLog',
    method: 'get',
    path: '/api/v1/mcp-servers/{mcp_server_id}/log',
    permissions: ['manage_policies'],
    summary: 'Read the last output of a tool server’s program, and how the program ended.',
    params: ServerParams,
    responses: {
      200: { description: 'The last lines of the program’s output.', name: 'ToolServerLog', schema: LogAnswer },
    },
    handler: async ({ params, principal: { accountId }, signal }) => {
      const target = requireFound(await findTarget(deps.db, { accountId, id: params.mcp_server_id }));
      if (target.transport !== 'stdio')
        throw new AppError('not_found', { message: 'The tool server is not a program.' });
      const reached = { key: target.id, name: target.name, ...openReached(deps, target) };
      const said = await deps.toolServers.readJson(reached, HOSTED_SERVER_LOG_PATH, signal);
      const { lines = [] } = said as { readonly lines?: readonly string[] };
      return { status: 200, body: { lines: [...lines] } };
    },
  });
}
