import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { deleteToolServer, findTarget } from '@steward/tool-servers';
import { requireFound } from '@steward/api';
import { ServerParams } from './server-schemas.ts';
import { endPrograms, type EndDeps } from './end-programs.ts';
import type { ToolServersDeps } from './tool-servers-deps.ts';

export function createDeleteServerRoute(deps: Pick<ToolServersDeps, 'db'> & EndDeps): Route {
  return defineRoute({
    operationId: 'deleteToolServer',
    method: 'delete',
    path: '/api/v1/mcp-servers/{mcp_server_id}',
    permissions: ['manage_policies'],
    summary: 'Delete a tool server.',
    params: ServerParams,
    responses: { 204: { description: 'Deleted.' } },
    audit: { resourceType: 'mcp_server' },
    handler: async ({ params, principal: { accountId }, audit }) => {
      const id = params.mcp_server_id;
      const target = await findTarget(deps.db, { accountId, id });
      await transact(deps, async (trx) => {
        const { name } = requireFound(await deleteToolServer(trx, { accountId, id }));
        await recordAudit(trx, audit({ resourceId: id, details: { name } }));
      });
      await endPrograms(deps, target);
      return { status: 204 };
    },
  });
}
