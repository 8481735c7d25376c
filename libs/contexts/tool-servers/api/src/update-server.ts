import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { findTarget, updateToolServer } from '@steward/tool-servers';
import { endPrograms, type EndDeps } from './end-programs.ts';
import { ServerAnswer, ServerParams, UpdateServerBody } from './server-schemas.ts';
import {
  describeServerChange,
  prepareSave,
  presentServer,
  refuseName,
  type ToolServersDeps,
} from './tool-servers-deps.ts';

export function createUpdateServerRoute(deps: ToolServersDeps & EndDeps): Route {
  return defineRoute({
    operationId: 'updateToolServer',
    method: 'patch',
    path: '/api/v1/mcp-servers/{mcp_server_id}',
    permissions: ['manage_policies'],
    summary: 'Update a tool server; omitted fields keep their values.',
    description:
      'Changing the origin of the URL deletes the login and, unless the request contains new headers, the stored headers.',
    params: ServerParams,
    body: UpdateServerBody,
    bodyExample: { enabled: false },
    responses: { 200: { description: 'The tool server.', name: 'ToolServer', schema: ServerAnswer } },
    audit: { resourceType: 'mcp_server' },
    handler: async ({ params, body, principal, audit }) => {
      const { accountId } = principal;
      const id = params.mcp_server_id;
      const prepared = await prepareSave(deps, body, principal);
      const target = await findTarget(deps.db, { accountId, id });
      const server = await transact(deps, async (trx) => {
        const outcome = await updateToolServer(trx, { accountId, id, ...prepared }, deps.secretBoxes.toolServer);
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'name_taken') throw refuseName();
        await recordAudit(trx, audit({ resourceId: id, details: describeServerChange(body) }));
        return outcome.server;
      });
      if (body.enabled === false || prepared.patch.command !== undefined) await endPrograms(deps, target);
      return { status: 200, body: presentServer(server, { reader: principal, box: deps.secretBoxes.toolServer }) };
    },
  });
}
