import { Type } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { refreshLogin } from '@steward/identity';
import type { IdentityDeps } from '../identity-deps.ts';
import { presentTokens, TOKEN_RESPONSES } from './token-answer.ts';

const Body = Type.Object(
  { refresh_token: Type.String({ minLength: 1, maxLength: 4096 }) },
  { additionalProperties: false },
);

export function createRefreshRoute(deps: Pick<IdentityDeps, 'db' | 'broker' | 'settings' | 'signer' | 'clock'>): Route {
  return defineRoute({
    operationId: 'refreshTokens',
    method: 'post',
    path: '/api/v1/auth/refresh',
    auth: 'none',
    leavesCallers: true,
    summary: 'Exchange a refresh token for a new access token and a new refresh token.',
    description:
      'A refresh token can be used only once. If it is used a second time, the login ends, because the token may have been stolen.',
    body: Body,
    bodyExample: { refresh_token: 'the refresh token of the login' },
    responses: TOKEN_RESPONSES,
    audit: { action: 'reuse_refresh_token', resourceType: 'user' },
    handler: async ({ body, audit }) => {
      const now = deps.clock.now();
      const input = { refreshToken: body.refresh_token, signer: deps.signer, now };
      const outcome = await transact(deps, async (trx) => {
        const refreshed = await refreshLogin(trx, input, deps.settings);
        if (refreshed.kind === 'reused') {
          const { accountId, userId: resourceId } = refreshed;
          const actor = { kind: 'anonymous', id: null } as const;
          await recordAudit(trx, audit({ accountId, actor, resourceId, status: 'denied' }));
        }
        return refreshed;
      });
      if (outcome.kind === 'refreshed') return { status: 200, body: presentTokens(outcome.tokens) };
      throw new AppError('unauthenticated', { message: 'The refresh token is not valid. Log in again.' });
    },
  });
}
