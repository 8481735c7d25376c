import type { Module } from '@steward/api';
import { createAgentsModule } from './agents/module.ts';
import { createApprovalsModule } from './approvals/module.ts';
import { createAuditModule } from './audit/module.ts';
import { createBudgetsModule } from './budgets/module.ts';
import { createCliRoutes } from './cli/download-cli.ts';
import { createFlowsModule } from './flows/module.ts';
import { createIdentityModule } from './identity/module.ts';
import { createKillSwitchModule } from './kill-switch/module.ts';
import { createModelsModule } from './models/module.ts';
import { createOverviewModule } from './overview/module.ts';
import { createPoliciesModule } from './policies/module.ts';
import { createSearchModule } from './search/module.ts';
import { createSessionsModule } from './sessions/module.ts';
import { createToolServersModule } from './tool-servers/module.ts';
import { createTrackersModule } from './trackers/module.ts';
import { createUsageModule } from './usage/module.ts';
import { createWebhooksModule } from './webhooks/module.ts';

/** Each module declares its own dependencies. */
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
  Parameters<typeof createKillSwitchModule>[0];

/** The API of the service, one module per context. */
export function createApiModules(deps: ApiDeps): Module[] {
  return [
    { routes: createCliRoutes(), components: [] },
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
    createKillSwitchModule(deps),
  ];
}
