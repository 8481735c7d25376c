import { tagRoutes } from '@steward/http';
import type { Module } from '@steward/api';
import { createReadDeploymentHealthRoute, type DeploymentHealthDeps } from './read-deployment-health.ts';
import { createReadDeploymentRoute, type DeploymentDeps } from './read-deployment.ts';
import { createReadOverviewRoute } from './read-overview.ts';

/** Creates the routes for the data that the console shows on every screen, and for the health of the deployment. */
export function createOverviewModule(deps: DeploymentDeps & DeploymentHealthDeps): Module {
  return {
    routes: tagRoutes('overview', [
      createReadOverviewRoute(deps),
      createReadDeploymentRoute(deps),
      createReadDeploymentHealthRoute(deps),
    ]),
    components: [],
  };
}
