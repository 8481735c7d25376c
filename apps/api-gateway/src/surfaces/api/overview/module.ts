import { tagRoutes } from '@steward/http';
import type { Module } from '@steward/api';
import { createReadDeploymentRoute, type DeploymentDeps } from './read-deployment.ts';
import { createReadOverviewRoute } from './read-overview.ts';

/** Creates the routes for data that the console shows on every screen. */
export function createOverviewModule(deps: DeploymentDeps): Module {
  return {
    routes: tagRoutes('overview', [createReadOverviewRoute(deps), createReadDeploymentRoute(deps)]),
    components: [],
  };
}
