import { Type } from '@sinclair/typebox';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { findUser, refreshLogin } from '@steward/identity';
import type { IdentityDeps } from '../identity-deps.ts';
import { browserLifetimes } from './browser-lifetimes.ts';
import { createSameOriginRule } from './require-same-origin.ts';
import { presentSession, SESSION_RESPONSES } from './session-answer.ts';
import { createSessionCookie } from './session-cookie.ts';

export function createRefreshSessionRoute(deps: IdentityDeps): Route {
  const cookie = createSessionCookie(deps.settings);
  const requireSameOrigin = createSameOriginRule(deps.settings);
  return defineRoute({
    operationId: 'refreshBrowserSession',
    method: 'post',
    path: '/api/v1/auth/session/refresh',
    auth: 'none',
    leavesCallers: true,
    summary: 'Exchange the browser’s cookie for an access token and a new cookie.',
    description:
      'A cookie can be exchanged only once. If the same cookie is sent again within 30 s, for example by another tab, the response contains an access token but no new cookie; a later use ends the login.',
    body: Type.Object({}, { additionalProperties: false }),
    responses: SESSION_RESPONSES,
    audit: { action: 'reuse_refresh_token', resourceType: 'user' },
    handler: async ({ headers, audit }) => {
      requireSameOrigin(headers);
      const input = {
        refreshToken: cookie.read(headers) ?? '',
        kind: 'browser' as const,
        signer: deps.signer,
        now: deps.clock.now(),
      };
      const outcome = await transact(deps, async (trx) => {
        const refreshed = await refreshLogin(trx, input, browserLifetimes(deps.settings));
        if (refreshed.kind === 'reused') {
          const { accountId, userId: resourceId } = refreshed;
          const actor = { kind: 'anonymous', id: null } as const;
          await recordAudit(trx, audit({ accountId, actor, resourceId, status: 'denied' }));
        }
        return refreshed;
      });
      const isOver = outcome.kind === 'unknown' || outcome.kind === 'reused';
      const user = isOver ? undefined : await findUser(deps.db, outcome.userId, deps.settings.edition);
      // An invalid cookie is deleted: otherwise it would be sent, and refused, with every page.
      if (isOver || user === undefined)
        throw new AppError('unauthenticated', { message: 'You are not signed in.', headers: cookie.clear() });
      const body = presentSession(outcome.tokens, user);
      return outcome.kind === 'refreshed'
        ? { status: 200, headers: cookie.write(outcome.tokens.refreshToken), body }
        : { status: 200, body };
    },
  });
}
