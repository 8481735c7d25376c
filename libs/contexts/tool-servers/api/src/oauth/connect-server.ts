import { AppError } from '@steward/contracts';
import { newId } from '@steward/crypto';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { describeBegunContext, findTarget, insertBegunLogin, openTarget } from '@steward/tool-servers';
import { requireFound } from '@steward/api';
import { ServerParams } from '../server-schemas.ts';
import type { OAuthDeps } from './oauth-deps.ts';
import { ConnectAnswer, ConnectBody } from './oauth-schemas.ts';
import { hashState, newState } from './login-state.ts';

/** Matches loopback addresses, which are reachable only from the user's own machine (RFC 8252). */
const OWN_MACHINE = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost):\d{1,5}(?:\/[\w./-]*)?$/;
const CONSOLE_PATH = '/tool-servers/connected';

export function createConnectServerRoute(deps: OAuthDeps): Route {
  return defineRoute({
    operationId: 'connectToolServer',
    method: 'post',
    path: '/api/v1/mcp-servers/{mcp_server_id}/oauth/connect',
    permissions: ['manage_policies'],
    summary: 'Start a login (OAuth) at the authorization server of a tool server.',
    description:
      'The response contains the URL of the page where the person logs in and grants access. The person who started the login completes it with `finish` within 15 minutes.',
    params: ServerParams,
    body: ConnectBody,
    bodyExample: { redirect_uri: 'https://steward.example.com/tools/callback' },
    responses: {
      200: {
        description: 'URL of the page where the person logs in and grants access.',
        name: 'BegunLogin',
        schema: ConnectAnswer,
      },
    },
    audit: { action: 'begin_login', resourceType: 'mcp_server' },
    handler: async ({ params, body, principal, audit }) => {
      const { accountId, userId } = principal;
      const key = { accountId, id: params.mcp_server_id };
      const target = requireFound(await findTarget(deps.db, key));
      if (target.transport === 'stdio') throw refuse('transport', 'is a program: only HTTP servers have a login.');
      const { client_id: clientId, client_secret: clientSecret, scope } = body;
      if (clientSecret !== undefined && clientId === undefined)
        throw refuse('client_id', 'is required if client_secret is set.');
      const redirectUrl = readRedirect(deps.settings.publicUrl, body.redirect_uri);
      const state = newState();
      const leave = deps.openRequests.trials.enter(principal);
      const { url, begun } = await deps.toolServerLogins
        .begin(
          { name: target.name, ...openTarget(target, deps.secretBoxes.toolServer) },
          {
            state,
            redirectUrl,
            client: clientId === undefined ? undefined : { client_id: clientId, client_secret: clientSecret },
            scope,
          },
        )
        .finally(leave);
      const loginId = newId();
      const login = {
        ...key,
        loginId,
        userId,
        stateHash: hashState(state),
        targetVersion: target.targetVersion,
        sealed: deps.secretBoxes.toolServer.seal(JSON.stringify(begun), describeBegunContext(loginId)),
      };
      const expiresAt = await transact(deps, async (trx) => {
        await recordAudit(
          trx,
          audit({ resourceId: key.id, details: { issuer: begun.issuer, scope: begun.scope ?? null } }),
        );
        return insertBegunLogin(trx, login, deps.clock.now());
      });
      return { status: 200, body: { authorization_url: url, redirect_uri: redirectUrl, expires_at: expiresAt } };
    },
  });
}

function readRedirect(publicUrl: string, wanted: string | undefined): string {
  if (wanted === undefined) return `${publicUrl}${CONSOLE_PATH}`;
  if (OWN_MACHINE.test(wanted) && URL.canParse(wanted)) return wanted;
  throw refuse('redirect_uri', 'must be an address of this machine, such as http://127.0.0.1:8765/callback.');
}

function refuse(field: string, what: string): AppError {
  return new AppError('invalid_request', { message: `"${field}" ${what}`, detail: { field } });
}
