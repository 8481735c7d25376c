import type { Module } from '@steward/api';
import { createAgentsModule } from '@steward/agents-api';
import { createApprovalsModule } from '@steward/approvals-api';
import { createAuditModule } from '@steward/audit-api';
import { createBudgetsModule } from '@steward/budgets-api';
import { createDownloadRoutes } from './downloads/download-routes.ts';
import { createFlowsModule } from '@steward/flows-api';
import { createIdentityModule, createKillSwitchModule } from '@steward/identity-api';
import { createModelsModule, createUsageModule } from '@steward/models-api';
import { createOverviewModule } from './overview/module.ts';
import { createPoliciesModule } from '@steward/policies-api';
import { createSearchModule } from '@steward/search-api';
import { createSessionsModule } from '@steward/sessions-api';
import { createStatsModule } from '@steward/stats-api';
import { createToolServersModule } from '@steward/tool-servers-api';
import { createTrackersModule } from '@steward/trackers-api';
import { createWebhooksModule } from '@steward/webhooks-api';

/** Dependencies of all modules; each module declares its own. */
export type ApiDeps = Parameters<typeof createIdentityModule>[0] &
  Parameters<typeof createAuditModule>[0] &
  Parameters<typeof createSessionsModule>[0] &
  Parameters<typeof createSearchModule>[0] &
  Parameters<typeof createWebhooksModule>[0] &
  Parameters<typeof createFlowsModule>[0] &
  Parameters<typeof createModelsModule>[0] &
  Parameters<typeof createUsageModule>[0] &
  Parameters<typeof createToolServersModule>[0] &
  Parameters<typeof createTrackersModule>[0] &
  Parameters<typeof createBudgetsModule>[0] &
  Parameters<typeof createPoliciesModule>[0] &
  Parameters<typeof createApprovalsModule>[0] &
  Parameters<typeof createAgentsModule>[0] &
  Parameters<typeof createOverviewModule>[0] &
  Parameters<typeof createStatsModule>[0] &
  Parameters<typeof createKillSwitchModule>[0];

/** Creates the REST API of the service: the modules of the contexts, of the overview and of the downloads. */
export function createApiModules(deps: ApiDeps): Module[] {
  return [
    { routes: createDownloadRoutes(), components: [] },
    createIdentityModule(deps),
    createAuditModule(deps),
    createSessionsModule(deps),
    createSearchModule(deps),
    createWebhooksModule(deps),
    createFlowsModule(deps),
    createModelsModule(deps),
    createUsageModule(deps),
    createToolServersModule(deps),
    createTrackersModule(deps),
    createBudgetsModule(deps),
    createPoliciesModule(deps),
    createApprovalsModule(deps),
    createAgentsModule(deps),
    createOverviewModule(deps),
    createStatsModule(deps),
    createKillSwitchModule(deps),
  ];
}
