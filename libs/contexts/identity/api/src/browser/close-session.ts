import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { endBrowserLogin } from '@steward/identity';
import type { IdentityDeps } from '../identity-deps.ts';
import { createSameOriginRule } from './require-same-origin.ts';
import { createSessionCookie } from './session-cookie.ts';

export function createCloseSessionRoute(deps: IdentityDeps): Route {
  const cookie = createSessionCookie(deps.settings);
  const requireSameOrigin = createSameOriginRule(deps.settings);
  return defineRoute({
    operationId: 'closeBrowserSession',
    method: 'delete',
    path: '/api/v1/auth/session',
    auth: 'none',
    summary: 'Sign out of this browser.',
    responses: { 204: { description: 'Signed out; also returned if the browser was not signed in.' } },
    audit: { action: 'logout', resourceType: 'user' },
    handler: async ({ headers, audit }) => {
      requireSameOrigin(headers);
      await transact(deps, async (trx) => {
        const ended = await endBrowserLogin(trx, cookie.read(headers) ?? '');
        if (ended === undefined) return;
        const { accountId, userId } = ended;
        await recordAudit(trx, audit({ accountId, actor: { kind: 'user', id: userId }, resourceId: userId }));
      });
      return { status: 204, headers: cookie.clear() };
    },
  });
}
