import type { Module } from '../../module.ts';
import { createPermissionCheckRoute, type PermissionCheckDeps } from './check-permission.ts';
import { createRegistryRoutes } from './registry/index.ts';
import type { RegistryDeps } from './registry/registry-deps.ts';
import { createTakeNotesRoute } from './take-notes.ts';

/** The agents of an account, and what they ask of the service. */
export function createAgentsModule(deps: PermissionCheckDeps & RegistryDeps): Module {
  return {
    routes: [createPermissionCheckRoute(deps), createTakeNotesRoute(deps), ...createRegistryRoutes(deps)],
    components: [],
  };
}
