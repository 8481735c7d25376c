import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { LoginEndedError, type BegunLogin, type GrantedLogin } from '@steward/mcp-client';
import { recordAudit } from '@steward/audit';
import {
  describeBegunContext,
  describeGrantContext,
  findToolServer,
  saveGrant,
  takeBegunLogin,
} from '@steward/tool-servers';
import { requireFound } from '@steward/api';
import { ServerAnswer, ServerParams } from '../server-schemas.ts';
import { presentServer } from '../tool-servers-deps.ts';
import { hashState } from './login-state.ts';
import type { OAuthDeps } from './oauth-deps.ts';
import { FinishBody } from './oauth-schemas.ts';

/** Matches the format of the error codes that RFC 6749 defines for the redirect back from the authorization page. */
const CODE = /^[a-z_]{1,40}$/;

export function createFinishLoginRoute(deps: OAuthDeps): Route {
  const box = deps.secretBoxes.toolServer;
  return defineRoute({
    operationId: 'finishToolServerLogin',
    method: 'post',
    path: '/api/v1/mcp-servers/{mcp_server_id}/oauth/finish',
    permissions: ['manage_policies'],
    summary: 'Finish a login that you started. The tool server is then called with the tokens of this login.',
    description:
      'The body contains the parameters that `redirect_uri` received. The tokens are stored encrypted and never returned.',
    params: ServerParams,
    body: FinishBody,
    bodyExample: { state: 'the state from the address', code: 'the code from the address' },
    responses: { 200: { description: 'The tool server.', name: 'ToolServer', schema: ServerAnswer } },
    audit: { action: 'connect', resourceType: 'mcp_server' },
    handler: async ({ params, body, principal, audit }) => {
      const { accountId, userId } = principal;
      const key = { accountId, id: params.mcp_server_id };
      const stateHash = hashState(body.state);
      const taken = await takeBegunLogin(deps.db, key, { stateHash, userId, now: deps.clock.now() });
      if (taken === undefined)
        throw new AppError('not_found', { message: 'You have no such login in progress. Start again.' });
      const { code, iss } = body;
      if (code === undefined) throw refuse(`The login was not authorized${describeError(body.error)}.`);
      const begun = JSON.parse(box.open(taken.sealed, describeBegunContext(taken.loginId))) as BegunLogin;
      const { name } = requireFound(await findToolServer(deps.db, key));
      const leave = deps.openRequests.trials.enter(principal);
      const granted = await deps.toolServerLogins
        .finish({ name }, begun, { code, iss })
        .catch((error: unknown) => {
          throw error instanceof LoginEndedError ? refuseEnded(error) : error;
        })
        .finally(leave);
      const server = await transact(deps, async (trx) => {
        const saved = await saveGrant(trx, key, {
          ...describeGrant(granted),
          sealed: box.seal(JSON.stringify(granted), describeGrantContext(key)),
          userId,
          targetVersion: taken.targetVersion,
          now: deps.clock.now(),
        });
        if (!saved)
          throw new AppError('conflict', { message: 'The tool server has been changed in the meantime. Start again.' });
        await recordAudit(
          trx,
          audit({ resourceId: key.id, details: { issuer: granted.issuer, scope: granted.scope ?? null } }),
        );
        return requireFound(await findToolServer(trx, key));
      });
      return { status: 200, body: presentServer(server, { reader: principal, box }) };
    },
  });
}

function describeGrant({ issuer, scope, expiresAt }: GrantedLogin) {
  return { issuer, scope: scope ?? null, expiresAt: expiresAt === undefined ? null : new Date(expiresAt) };
}

const describeError = (error: string | undefined): string => (CODE.test(error ?? '') ? ` (${error})` : '');

function refuseEnded({ isOfClient }: LoginEndedError): AppError {
  if (!isOfClient) return refuse('The authorization server no longer accepts the code.');
  const message =
    'The authorization server does not accept the client: start again with another client_id or client_secret.';
  return refuse(message, 'client_id');
}

function refuse(message: string, field = 'code'): AppError {
  return new AppError('invalid_request', { message, detail: { field } });
}
