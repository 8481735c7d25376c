import type { Permission } from '../api/answers.ts';

/** What the rail shows, in its order. */
export const SCREENS = [
  { to: '/search', name: 'Search', keys: 'g s', permission: 'view_runtime_sessions' },
  { to: '/sessions', name: 'Sessions', keys: 'g r', permission: 'view_runtime_sessions' },
  { to: '/approvals', name: 'Approvals', keys: 'g a', permission: 'view_approvals' },
  { to: '/flows', name: 'Flows', keys: 'g f', permission: 'view_flows' },
  { to: '/executions', name: 'Executions', keys: 'g x', permission: 'view_flows' },
  { to: '/event-webhooks/endpoints', name: 'Endpoints', keys: 'g e', permission: 'view_policies' },
  { to: '/event-webhooks/deliveries', name: 'Deliveries', keys: 'g d', permission: 'view_policies' },
  { to: '/event-webhooks/dead-letters', name: 'Dead letters', keys: 'g w', permission: 'view_policies' },
  { to: '/policies', name: 'Policy', keys: 'g p', permission: 'view_policies' },
  { to: '/agents', name: 'Agents', keys: 'g n', permission: 'view_agents' },
  { to: '/agents/discovered', name: 'Discovered', keys: 'g h', permission: 'view_agents' },
  { to: '/models', name: 'AI models', keys: 'g i', permission: 'view_ai_models' },
  { to: '/tool-servers', name: 'Tool servers', keys: 'g t', permission: 'view_policies' },
  { to: '/budgets', name: 'Budgets', keys: 'g b', permission: 'view_cost' },
  { to: '/usage', name: 'Usage', keys: 'g y', permission: 'view_cost' },
  { to: '/audit-log', name: 'Audit log', keys: 'g l', permission: 'view_audit_logs' },
  { to: '/settings/kill-switch', name: 'Kill switch', keys: 'g z', permission: 'view_agents' },
  { to: '/settings/search', name: 'Embedding', keys: 'g m', permission: 'view_runtime_sessions' },
  { to: '/settings/users', name: 'Users', keys: 'g u', permission: 'manage_users' },
  { to: '/settings/roles', name: 'Roles', keys: 'g o', permission: 'manage_users' },
  { to: '/settings/api-keys', name: 'API keys', keys: 'g k' },
  { to: '/settings/account', name: 'Account', keys: 'g c' },
] as const satisfies readonly {
  readonly to: string;
  readonly name: string;
  readonly keys: string;
  /** Without one a screen is for everybody. */
  readonly permission?: Permission;
}[];

/** The screens that somebody may see. */
export function listScreens(permissions: readonly Permission[]): readonly (typeof SCREENS)[number][] {
  return SCREENS.filter((screen) => !('permission' in screen) || permissions.includes(screen.permission));
}
