import { tagRoutes, type Route } from '@steward/http';
import type { IdentityDeps } from '../identity-deps.ts';
import { createChangePasswordRoute } from './change-password.ts';
import { createCreateUserRoute } from './create-user.ts';
import { createInviteRoute } from './invite-user.ts';
import { createListUsersRoute } from './list-users.ts';
import { createReadMeRoute } from './read-me.ts';
import { createUpdateUserRoute } from './update-user.ts';

export function createUsersRoutes(deps: IdentityDeps): Route[] {
  return tagRoutes('users', [
    createReadMeRoute(deps),
    createChangePasswordRoute(deps),
    createListUsersRoute(deps),
    createCreateUserRoute(deps),
    createUpdateUserRoute(deps),
    createInviteRoute(deps),
  ]);
}
