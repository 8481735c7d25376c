import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { describeServerUrlContext, findTarget, findToolServer } from '@steward/tool-servers';
import { type OpenRequests, hideAddress, readStored, requireFound } from '@steward/api';
import { refreshTools } from './refresh-tools.ts';
import { ServerAnswer, ServerParams } from './server-schemas.ts';
import { presentServer, type RefreshDeps } from './tool-servers-deps.ts';

export type RefreshServerDeps = RefreshDeps & { readonly openRequests: Pick<OpenRequests, 'trials'> };

export function createRefreshServerRoute(deps: RefreshServerDeps): Route {
  return defineRoute({
    operationId: 'refreshToolServer',
    method: 'post',
    path: '/api/v1/mcp-servers/{mcp_server_id}/refresh',
    permissions: ['manage_policies'],
    summary: 'Reload the tools of a server now.',
    description:
      'The response contains the server; its `status` shows whether its tools could be listed. Tools are also reloaded every five minutes and after each update.',
    params: ServerParams,
    responses: { 200: { description: 'The tool server.', name: 'ToolServer', schema: ServerAnswer } },
    audit: { action: 'refresh', resourceType: 'mcp_server' },
    handler: async ({ params, principal, audit, signal }) => {
      const key = { accountId: principal.accountId, id: params.mcp_server_id };
      const target = requireFound(await findTarget(deps.db, key));
      const address = readStored(target.address, describeServerUrlContext(target), deps.secretBoxes.toolServer);
      const url = target.transport === 'stdio' ? 'stdio' : hideAddress(address);
      const leave = deps.openRequests.trials.enter(principal);
      try {
        // The audit entry is written before the call, so that it shows that headers were sent, even if the call fails.
        await transact(deps, (trx) => recordAudit(trx, audit({ resourceId: key.id, details: { url } })));
        await refreshTools(deps, target, signal);
      } finally {
        leave();
      }
      return {
        status: 200,
        body: presentServer(requireFound(await findToolServer(deps.db, key)), {
          reader: principal,
          box: deps.secretBoxes.toolServer,
        }),
      };
    },
  });
}
