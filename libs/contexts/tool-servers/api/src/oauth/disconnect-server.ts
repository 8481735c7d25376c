import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import type { GrantedLogin } from '@steward/mcp-client';
import { recordAudit } from '@steward/audit';
import { deleteGrant, describeGrantContext, findToolServer } from '@steward/tool-servers';
import { requireFound } from '@steward/api';
import { ServerParams } from '../server-schemas.ts';
import type { OAuthDeps } from './oauth-deps.ts';

export function createDisconnectServerRoute(deps: OAuthDeps): Route {
  return defineRoute({
    operationId: 'disconnectToolServer',
    method: 'delete',
    path: '/api/v1/mcp-servers/{mcp_server_id}/oauth',
    permissions: ['manage_policies'],
    summary: 'Delete the login of a tool server, including one in progress.',
    description: 'The tokens are revoked at the authorization server if that server supports revocation.',
    params: ServerParams,
    responses: { 204: { description: 'The login is deleted: from now on, the server is called without its tokens.' } },
    audit: { action: 'disconnect', resourceType: 'mcp_server' },
    handler: async ({ params, principal: { accountId }, audit }) => {
      const key = { accountId, id: params.mcp_server_id };
      const sealed = await transact(deps, async (trx) => {
        const { name } = requireFound(await findToolServer(trx, key));
        await recordAudit(trx, audit({ resourceId: key.id, details: { name } }));
        return deleteGrant(trx, key);
      });
      if (sealed !== undefined) {
        const text = deps.secretBoxes.toolServer.open(sealed, describeGrantContext(key));
        await deps.toolServerLogins.revoke(JSON.parse(text) as GrantedLogin);
      }
      return { status: 204 };
    },
  });
}
