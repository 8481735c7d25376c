import type { Permission } from '../api/answers.ts';

/** Screens of the navigation, in order. */
export const SCREENS = [
  { group: 'Work', to: '/overview', name: 'Overview', keys: 'g q' },
  { group: 'Work', to: '/search', name: 'Search', keys: 'g s', permission: 'view_runtime_sessions' },
  { group: 'Work', to: '/sessions', name: 'Sessions', keys: 'g r', permission: 'view_runtime_sessions' },
  { group: 'Work', to: '/approvals', name: 'Approvals', keys: 'g a', permission: 'view_approvals' },
  { group: 'Work', to: '/flows', name: 'Flows', keys: 'g f', permission: 'view_flows' },
  { group: 'Work', to: '/schedules', name: 'Schedules', keys: 'g v', permission: 'view_flows' },
  { group: 'Work', to: '/executions', name: 'Executions', keys: 'g x', permission: 'view_flows' },
  {
    group: 'Event webhooks',
    to: '/event-webhooks/endpoints',
    name: 'Endpoints',
    keys: 'g e',
    permission: 'view_policies',
  },
  {
    group: 'Event webhooks',
    to: '/event-webhooks/deliveries',
    name: 'Deliveries',
    keys: 'g d',
    permission: 'view_policies',
  },
  {
    group: 'Event webhooks',
    to: '/event-webhooks/dead-letters',
    name: 'Dead letters',
    keys: 'g w',
    permission: 'view_policies',
  },
  {
    group: 'Event webhooks',
    to: '/event-webhooks/notices',
    name: 'Notices',
    keys: 'g 1',
    permission: 'view_policies',
  },
  {
    group: 'Event webhooks',
    to: '/event-webhooks/portal-links',
    name: 'Portal links',
    keys: 'g 2',
    permission: 'view_policies',
  },
  { group: 'Governance', to: '/policies', name: 'Policy', keys: 'g p', permission: 'view_policies' },
  { group: 'Governance', to: '/agents', name: 'Agents', keys: 'g n', permission: 'view_agents' },
  { group: 'Governance', to: '/agents/discovered', name: 'Discovered', keys: 'g h', permission: 'view_agents' },
  { group: 'Governance', to: '/models', name: 'AI models', keys: 'g i', permission: 'view_ai_models' },
  { group: 'Governance', to: '/tool-servers', name: 'Tool servers', keys: 'g t', permission: 'view_policies' },
  { group: 'Governance', to: '/trackers', name: 'Trackers', keys: 'g j', permission: 'view_trackers' },
  { group: 'Governance', to: '/budgets', name: 'Budgets', keys: 'g b', permission: 'view_cost' },
  { group: 'Governance', to: '/usage', name: 'Usage', keys: 'g y', permission: 'view_cost' },
  { group: 'Governance', to: '/charts', name: 'Charts', keys: 'g g' },
  { group: 'Governance', to: '/audit-log', name: 'Audit log', keys: 'g l', permission: 'view_audit_logs' },
  { group: 'Governance', to: '/settings/kill-switch', name: 'Kill switch', keys: 'g z', permission: 'view_agents' },
  { group: 'Settings', to: '/settings/search', name: 'Embedding', keys: 'g m', permission: 'view_runtime_sessions' },
  { group: 'Settings', to: '/settings/users', name: 'Users', keys: 'g u', permission: 'manage_users' },
  { group: 'Settings', to: '/settings/roles', name: 'Roles', keys: 'g o', permission: 'manage_users' },
  { group: 'Settings', to: '/settings/api-keys', name: 'API keys', keys: 'g k' },
  {
    group: 'Settings',
    to: '/settings/health',
    name: 'Health',
    keys: 'g 0',
    permission: 'manage_users',
    isForOperators: true,
  },
  { group: 'Settings', to: '/settings/account', name: 'Account', keys: 'g c' },
] as const satisfies readonly {
  /** Heading of the group that the screen belongs to. */
  readonly group: string;
  readonly to: string;
  readonly name: string;
  readonly keys: string;
  /** Permission that the screen requires; if undefined, the screen is available to every user. */
  readonly permission?: Permission;
  /** True if only users of an account that operates the deployment may see the screen. */
  readonly isForOperators?: true;
}[];

/** Returns the screens that the user may see. */
export function listScreens(
  permissions: readonly Permission[],
  isOperator = false,
): readonly (typeof SCREENS)[number][] {
  return SCREENS.filter(
    (screen) =>
      (!('permission' in screen) || permissions.includes(screen.permission)) &&
      (!('isForOperators' in screen) || isOperator),
  );
}

/** Returns the screen of an address, or of its nearest parent path that has a screen. */
export function findScreen(pathname: string): (typeof SCREENS)[number] | undefined {
  return SCREENS.filter(({ to }) => pathname === to || pathname.startsWith(`${to}/`)).toSorted(
    (a, b) => b.to.length - a.to.length,
  )[0];
}
