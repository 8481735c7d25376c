import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { endAllLogins, endLogin } from '@steward/identity';
import { requireLogin } from '@steward/api';
import type { IdentityDeps } from '../identity-deps.ts';

type LogoutDeps = Pick<IdentityDeps, 'db' | 'broker'>;

export function createLogoutRoute(deps: LogoutDeps): Route {
  return defineRoute({
    operationId: 'logOut',
    method: 'post',
    path: '/api/v1/auth/logout',
    permissions: [],
    summary: 'Log out. The tokens of this login stop working from the next request on.',
    responses: { 204: { description: 'Logged out.' } },
    audit: { action: 'logout', resourceType: 'user' },
    handler: async ({ principal, audit }) => {
      const loginId = requireLogin(principal);
      await transact(deps, async (trx) => {
        await endLogin(trx, loginId);
        await recordAudit(trx, audit({ resourceId: principal.userId }));
      });
      return { status: 204 };
    },
  });
}

export function createRevokeSessionsRoute(deps: LogoutDeps): Route {
  return defineRoute({
    operationId: 'endAllLogins',
    method: 'post',
    path: '/api/v1/auth/sessions/revoke-all',
    permissions: [],
    summary: 'Log out everywhere. The tokens of all your logins stop working, including this one.',
    description: 'API keys are not logins and keep working. They have to be revoked individually.',
    responses: { 204: { description: 'Logged out everywhere.' } },
    audit: { action: 'revoke_sessions', resourceType: 'user' },
    handler: async ({ principal, audit }) => {
      requireLogin(principal);
      await transact(deps, async (trx) => {
        const ended = await endAllLogins(trx, principal.userId);
        await recordAudit(trx, audit({ resourceId: principal.userId, details: { ended } }));
      });
      return { status: 204 };
    },
  });
}
