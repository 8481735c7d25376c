import { tagRoutes, type Route } from '@steward/http';
import type { IdentityDeps } from '../identity-deps.ts';
import { createAcceptInvitationRoute } from './accept-invitation.ts';
import { createCreateApiKeyRoute } from '../api-keys/create-api-key.ts';
import { createDeleteApiKeyRoute } from '../api-keys/delete-api-key.ts';
import { createListApiKeysRoute } from '../api-keys/list-api-keys.ts';
import { createUpdateApiKeyRoute } from '../api-keys/update-api-key.ts';
import { createEndLoginRoute, createListLoginsRoute } from './own-logins.ts';
import { createLogoutRoute, createRevokeSessionsRoute } from './logout.ts';
import { createRefreshRoute } from './refresh-token.ts';
import { createRegisterRoute } from './register-account.ts';
import { createCloseSessionRoute } from '../browser/close-session.ts';
import { createOpenSessionRoute } from '../browser/open-session.ts';
import { createRefreshSessionRoute } from '../browser/refresh-session.ts';
import { createFormTokenRoute, createJsonTokenRoute } from './create-token.ts';

export function createAuthRoutes(deps: IdentityDeps): Route[] {
  return tagRoutes('authentication', [
    createRegisterRoute(deps),
    createFormTokenRoute(deps),
    createJsonTokenRoute(deps),
    createRefreshRoute(deps),
    createLogoutRoute(deps),
    createOpenSessionRoute(deps),
    createRefreshSessionRoute(deps),
    createCloseSessionRoute(deps),
    createRevokeSessionsRoute(deps),
    createListLoginsRoute(deps),
    createEndLoginRoute(deps),
    createAcceptInvitationRoute(deps),
    createListApiKeysRoute(deps),
    createCreateApiKeyRoute(deps),
    createUpdateApiKeyRoute(deps),
    createDeleteApiKeyRoute(deps),
  ]);
}
