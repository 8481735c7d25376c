import { lazyScreen } from '../lazy-screen.ts';
import { AGENT_KEYS } from '../queries/agents.ts';
import { AUDIT_KEYS } from '../queries/audit.ts';
import { EXECUTION_KEYS } from '../queries/executions.ts';
import { USER_KEYS } from '../queries/people.ts';
import { SEARCH_KEYS } from '../queries/search.ts';
import { SESSIONS_KEYS } from '../queries/sessions.ts';
import { CALL_KEYS } from '../queries/stats.ts';
import { DELIVERY_KEYS } from '../queries/webhooks.ts';
import { screenRoute } from './screen-route.ts';

/** All screens for signed-in users, without the shell around them. */
export const screenRoutes = [
  screenRoute({
    path: '/welcome',
    component: lazyScreen(() => import('../screens/welcome/welcome-screen.tsx'), 'WelcomeScreen'),
  }),
  screenRoute({
    path: '/overview',
    keys: ['range'],
    component: lazyScreen(() => import('../screens/stats/overview-screen.tsx'), 'OverviewScreen'),
  }),
  screenRoute({
    path: '/charts',
    keys: ['of', 'by', 'range'],
    component: lazyScreen(() => import('../screens/stats/charts-screen.tsx'), 'ChartsScreen'),
  }),
  screenRoute({
    path: '/search',
    keys: [...SEARCH_KEYS, 'panel'],
    component: lazyScreen(() => import('../screens/search/search-screen.tsx'), 'SearchScreen'),
  }),
  screenRoute({
    path: '/sessions',
    keys: SESSIONS_KEYS,
    component: lazyScreen(() => import('../screens/sessions/sessions-screen.tsx'), 'SessionsScreen'),
  }),
  screenRoute({
    path: '/sessions/$sessionId',
    keys: ['at', 'q', 'kind'],
    component: lazyScreen(() => import('../screens/sessions/session-screen.tsx'), 'SessionScreen'),
  }),
  screenRoute({
    path: '/approvals',
    keys: ['status', 'cursor'],
    component: lazyScreen(() => import('../screens/approvals/approvals-screen.tsx'), 'ApprovalsScreen'),
  }),
  screenRoute({
    path: '/approvals/$requestId',
    component: lazyScreen(() => import('../screens/approvals/approval-screen.tsx'), 'ApprovalScreen'),
  }),
  screenRoute({
    path: '/executions',
    keys: EXECUTION_KEYS,
    component: lazyScreen(() => import('../screens/executions/executions-screen.tsx'), 'ExecutionsScreen'),
  }),
  screenRoute({
    path: '/executions/$executionId',
    component: lazyScreen(() => import('../screens/executions/execution-screen.tsx'), 'ExecutionScreen'),
  }),
  screenRoute({
    path: '/event-webhooks/endpoints',
    keys: ['cursor'],
    component: lazyScreen(() => import('../screens/webhooks/endpoints-screen.tsx'), 'EndpointsScreen'),
  }),
  screenRoute({
    path: '/event-webhooks/endpoints/$endpointId',
    keys: ['peek'],
    component: lazyScreen(() => import('../screens/webhooks/endpoint-screen.tsx'), 'EndpointScreen'),
  }),
  screenRoute({
    path: '/event-webhooks/deliveries',
    keys: DELIVERY_KEYS,
    component: lazyScreen(() => import('../screens/webhooks/deliveries-screen.tsx'), 'DeliveriesScreen'),
  }),
  screenRoute({
    path: '/event-webhooks/dead-letters',
    keys: DELIVERY_KEYS,
    component: lazyScreen(() => import('../screens/webhooks/dead-letters-screen.tsx'), 'DeadLettersScreen'),
  }),
  screenRoute({
    path: '/event-webhooks/notices',
    keys: ['cursor'],
    component: lazyScreen(() => import('../screens/notices/notices-screen.tsx'), 'NoticesScreen'),
  }),
  screenRoute({
    path: '/event-webhooks/portal-links',
    keys: ['cursor'],
    component: lazyScreen(() => import('../screens/webhooks/portal-links-screen.tsx'), 'PortalLinksScreen'),
  }),
  screenRoute({
    path: '/flows',
    keys: ['cursor'],
    component: lazyScreen(() => import('../screens/flows/flows-screen.tsx'), 'FlowsScreen'),
  }),
  screenRoute({
    path: '/flows/new',
    component: lazyScreen(() => import('../screens/flows/new-flow-screen.tsx'), 'NewFlowScreen'),
  }),
  screenRoute({
    path: '/flows/$flowId',
    component: lazyScreen(() => import('../screens/flows/flow-screen.tsx'), 'FlowScreen'),
  }),
  screenRoute({
    path: '/flows/$flowId/edit',
    component: lazyScreen(() => import('../screens/flows/edit-flow-screen.tsx'), 'EditFlowScreen'),
  }),
  screenRoute({
    path: '/schedules',
    keys: ['cursor'],
    component: lazyScreen(() => import('../screens/flows/schedules-screen.tsx'), 'SchedulesScreen'),
  }),
  screenRoute({
    path: '/agents',
    keys: AGENT_KEYS,
    component: lazyScreen(() => import('../screens/agents/agents-screen.tsx'), 'AgentsScreen'),
  }),
  screenRoute({
    path: '/agents/$agentId',
    keys: ['cursor'],
    component: lazyScreen(() => import('../screens/agents/agent-screen.tsx'), 'AgentScreen'),
  }),
  screenRoute({
    path: '/agents/discovered',
    keys: ['status', 'cursor'],
    component: lazyScreen(() => import('../screens/agents/discovered-screen.tsx'), 'DiscoveredScreen'),
  }),
  screenRoute({
    path: '/policies',
    component: lazyScreen(() => import('../screens/policies/policy-screen.tsx'), 'PolicyScreen'),
  }),
  screenRoute({
    path: '/policies/versions',
    keys: ['cursor', 'show'],
    component: lazyScreen(() => import('../screens/policies/versions-screen.tsx'), 'VersionsScreen'),
  }),
  screenRoute({
    path: '/audit-log',
    keys: AUDIT_KEYS,
    component: lazyScreen(() => import('../screens/audit/audit-screen.tsx'), 'AuditScreen'),
  }),
  screenRoute({
    path: '/budgets',
    keys: ['cursor'],
    component: lazyScreen(() => import('../screens/costs/budgets-screen.tsx'), 'BudgetsScreen'),
  }),
  screenRoute({
    path: '/usage',
    keys: ['by', 'from', 'to'],
    component: lazyScreen(() => import('../screens/costs/usage-screen.tsx'), 'UsageScreen'),
  }),
  screenRoute({
    path: '/usage/calls',
    keys: CALL_KEYS,
    component: lazyScreen(() => import('../screens/costs/calls-screen.tsx'), 'CallsScreen'),
  }),
  screenRoute({
    path: '/models',
    keys: ['cursor'],
    component: lazyScreen(() => import('../screens/models/models-screen.tsx'), 'ModelsScreen'),
  }),
  screenRoute({
    path: '/tool-servers',
    keys: ['cursor'],
    component: lazyScreen(() => import('../screens/tool-servers/tool-servers-screen.tsx'), 'ToolServersScreen'),
  }),
  screenRoute({
    path: '/tool-servers/connected',
    keys: ['code', 'state', 'iss', 'error'],
    component: lazyScreen(() => import('../screens/tool-servers/connected-screen.tsx'), 'ConnectedScreen'),
  }),
  screenRoute({
    path: '/tool-servers/$serverId',
    keys: ['cursor'],
    component: lazyScreen(() => import('../screens/tool-servers/tool-server-screen.tsx'), 'ToolServerScreen'),
  }),
  screenRoute({
    path: '/trackers',
    keys: ['cursor'],
    component: lazyScreen(() => import('../screens/trackers/trackers-screen.tsx'), 'TrackersScreen'),
  }),
  screenRoute({
    path: '/settings/search',
    component: lazyScreen(() => import('../screens/settings/embedding-screen.tsx'), 'EmbeddingScreen'),
  }),
  screenRoute({
    path: '/settings/kill-switch',
    component: lazyScreen(() => import('../screens/settings/kill-switch-screen.tsx'), 'KillSwitchScreen'),
  }),
  screenRoute({
    path: '/settings/users',
    keys: USER_KEYS,
    component: lazyScreen(() => import('../screens/people/users-screen.tsx'), 'UsersScreen'),
  }),
  screenRoute({
    path: '/settings/roles',
    component: lazyScreen(() => import('../screens/people/roles-screen.tsx'), 'RolesScreen'),
  }),
  screenRoute({
    path: '/settings/api-keys',
    keys: ['cursor'],
    component: lazyScreen(() => import('../screens/settings/api-keys-screen.tsx'), 'ApiKeysScreen'),
  }),
  screenRoute({
    path: '/settings/health',
    keys: ['runbook'],
    component: lazyScreen(() => import('../screens/health/health-screen.tsx'), 'HealthScreen'),
  }),
  screenRoute({
    path: '/settings/account',
    component: lazyScreen(() => import('../screens/settings/account-screen.tsx'), 'AccountScreen'),
  }),
] as const;
