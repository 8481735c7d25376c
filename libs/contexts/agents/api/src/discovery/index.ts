import { onReplica, type ReplicaDeps } from '@steward/api';
import { tagRoutes, type Route } from '@steward/http';
import { createListCandidatesRoute, createMarkCandidateRoute, createOnboardCandidateRoute } from './candidates.ts';
import type { DiscoveryDeps } from './discovery-deps.ts';
import { createReadSaltRoute, createReadSettingRoute, createSaveSettingRoute } from './discovery-setting.ts';
import { createReportAgentsRoute } from './report-agents.ts';

/**
 * Creates the routes of discovery: workstations report their agents, which are identified only by hashes until somebody
 * onboards them (docs/contract/discovery.md).
 */
export function createDiscoveryRoutes(deps: DiscoveryDeps & ReplicaDeps): Route[] {
  return tagRoutes('discovery', [
    createReadSettingRoute(deps),
    createSaveSettingRoute(deps),
    createReadSaltRoute(deps),
    createReportAgentsRoute(deps),
    onReplica(createListCandidatesRoute, deps),
    createMarkCandidateRoute(deps),
    createOnboardCandidateRoute(deps),
  ]);
}
