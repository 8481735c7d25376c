import { tagRoutes } from '@steward/http';
import type { Module, ReplicaDeps } from '@steward/api';
import { createPermissionCheckRoute, type PermissionCheckDeps } from './check-permission.ts';
import { createDiscoveryPurge, type DiscoveryPurgeDeps } from './background/discovery-purge.ts';
import { createSilentAgentsGauge, type SilentAgentsDeps } from './background/silent-agents.ts';
import type { DiscoveryDeps } from './discovery/discovery-deps.ts';
import { createDiscoveryRoutes } from './discovery/index.ts';
import { createRegistryRoutes } from './registry/index.ts';
import type { RegistryDeps } from './registry/registry-deps.ts';
import { createTakeNotesRoute } from './take-notes.ts';

/** Creates the module of agents: permission checks, notes, the registry and discovery. */
export function createAgentsModule(
  deps: PermissionCheckDeps & RegistryDeps & DiscoveryDeps & DiscoveryPurgeDeps & SilentAgentsDeps & ReplicaDeps,
): Module {
  return {
    routes: [
      ...tagRoutes('agents', [createPermissionCheckRoute(deps), createTakeNotesRoute(deps)]),
      ...createDiscoveryRoutes(deps),
      ...createRegistryRoutes(deps),
    ],
    components: [createDiscoveryPurge(deps), createSilentAgentsGauge(deps)],
  };
}
