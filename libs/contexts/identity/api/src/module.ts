import { createIdentityPurge, type IdentityPurgeDeps } from './background/identity-purge.ts';
import type { Module } from '@steward/api';
import { createAuthRoutes } from './auth/index.ts';
import type { IdentityDeps } from './identity-deps.ts';
import { createRolesRoutes } from './roles/index.ts';
import { createUsersRoutes } from './users/index.ts';

/** Creates the module for accounts, users, roles, logins and API keys. */
export function createIdentityModule(deps: IdentityDeps & IdentityPurgeDeps): Module {
  return {
    routes: [...createAuthRoutes(deps), ...createUsersRoutes(deps), ...createRolesRoutes(deps)],
    components: [createIdentityPurge(deps)],
  };
}
