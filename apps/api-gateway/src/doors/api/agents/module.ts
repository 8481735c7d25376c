import type { Module } from '../../module.ts';
import { createPermissionCheckRoute, type PermissionCheckDeps } from './check-permission.ts';
import { createTakeNotesRoute } from './take-notes.ts';

/** What agents ask of the service. */
export function createAgentsModule(deps: PermissionCheckDeps): Module {
  return { routes: [createPermissionCheckRoute(deps), createTakeNotesRoute(deps)], components: [] };
}
