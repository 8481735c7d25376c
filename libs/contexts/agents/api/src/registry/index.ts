import { onReplica, type ReplicaDeps } from '@steward/api';
import { tagRoutes, type Route } from '@steward/http';
import {
  createEnrollRoute,
  createListEnrollmentsRoute,
  createRestoreRoute,
  createValidateRoute,
} from './enrollments.ts';
import { createMergeAgentsRoute } from './merge-agents.ts';
import { createListAgentsRoute, createReadAgentRoute } from './read-agents.ts';
import type { RegistryDeps } from './registry-deps.ts';
import { createCreateAgentRoute, createRetireAgentRoute, createUpdateAgentRoute } from './save-agent.ts';

/** Creates the routes for the agents of the account, and their enrollments (docs/contract/agents.md). */
export function createRegistryRoutes(deps: RegistryDeps & ReplicaDeps): Route[] {
  return tagRoutes('agents', [
    createCreateAgentRoute(deps),
    onReplica(createListAgentsRoute, deps),
    createReadAgentRoute(deps),
    createUpdateAgentRoute(deps),
    createRetireAgentRoute(deps),
    createMergeAgentsRoute(deps),
    createEnrollRoute(deps),
    createListEnrollmentsRoute(deps),
    createValidateRoute(deps),
    createRestoreRoute(deps),
  ]);
}
