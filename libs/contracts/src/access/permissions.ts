import type { Edition } from './editions.ts';

/** All permissions, in the order of the catalog (ACC-21). */
export const PERMISSIONS = [
  'manage_users',
  'view_runtime_sessions',
  'manage_runtime_sessions',
  'search_session_content',
  'manage_budgets',
  'view_policies',
  'manage_policies',
  'view_flows',
  'create_flows',
  'edit_flows',
  'delete_flows',
  'execute_flows',
  'view_trackers',
  'manage_trackers',
  'view_approvals',
  'decide_approvals',
  'manage_approval_workflows',
  'view_agents',
  'manage_agents',
  'control_managed_agent',
  'view_audit_logs',
  'view_ai_models',
  'manage_ai_models',
  'view_cost',
  'manage_kill_switch',
  'report_discovery',
  'manage_api_keys',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

const ENTERPRISE_PERMISSIONS: readonly string[] = ['search_session_content'] satisfies Permission[];

/**
 * Returns whether a permission exists in an edition. A permission of the enterprise edition has no effect in other
 * editions: no role contains it, no route requires it, and no request is refused because it is missing.
 */
export function existsInEdition(permission: string, edition: Edition): boolean {
  return edition === 'enterprise' || !ENTERPRISE_PERMISSIONS.includes(permission);
}

/**
 * Scopes of API keys that no role contains. Users manage their own keys without this scope; a key needs it to manage
 * keys, so that a key without scopes, which has the permissions of its owner's role, cannot create further keys.
 */
export const KEY_ONLY_PERMISSIONS: readonly Permission[] = ['manage_api_keys'];

/** Permissions that a custom role can contain. */
export const ROLE_PERMISSIONS: readonly Permission[] = PERMISSIONS.filter(
  (permission) => !KEY_ONLY_PERMISSIONS.includes(permission),
);

export const SYSTEM_ROLES = ['owner', 'admin', 'editor', 'executor', 'tracker_manager', 'analyst', 'viewer'] as const;

export type SystemRole = (typeof SYSTEM_ROLES)[number];

const OWNER_AND_ADMIN: readonly SystemRole[] = ['owner', 'admin'];
const EDITORS: readonly SystemRole[] = ['owner', 'admin', 'editor'];
const EXECUTORS: readonly SystemRole[] = ['owner', 'admin', 'editor', 'executor'];
const READERS: readonly SystemRole[] = SYSTEM_ROLES.filter((role) => role !== 'tracker_manager');
const ANALYSTS: readonly SystemRole[] = ['owner', 'admin', 'analyst'];
const COST_READERS: readonly SystemRole[] = ['owner', 'admin', 'editor', 'analyst', 'viewer'];

const TRACKER_MANAGERS: readonly SystemRole[] = ['owner', 'admin', 'tracker_manager'];

const ROLES_BY_PERMISSION: Record<Permission, readonly SystemRole[]> = {
  manage_users: OWNER_AND_ADMIN,
  view_runtime_sessions: READERS,
  manage_runtime_sessions: EXECUTORS,
  search_session_content: ANALYSTS,
  manage_budgets: OWNER_AND_ADMIN,
  view_policies: READERS,
  manage_policies: EDITORS,
  view_flows: SYSTEM_ROLES,
  create_flows: EDITORS,
  edit_flows: EDITORS,
  delete_flows: EDITORS,
  execute_flows: EXECUTORS,
  view_trackers: SYSTEM_ROLES,
  manage_trackers: TRACKER_MANAGERS,
  view_approvals: READERS,
  decide_approvals: READERS,
  manage_approval_workflows: EDITORS,
  view_agents: SYSTEM_ROLES,
  manage_agents: EDITORS,
  control_managed_agent: EDITORS,
  view_audit_logs: ANALYSTS,
  view_ai_models: SYSTEM_ROLES,
  manage_ai_models: EDITORS,
  view_cost: COST_READERS,
  manage_kill_switch: OWNER_AND_ADMIN,
  report_discovery: EXECUTORS,
  manage_api_keys: [],
};

/** Returns the permissions with which a system role is created, in catalog order. */
export function listSystemRolePermissions(role: SystemRole): Permission[] {
  return PERMISSIONS.filter((permission) => ROLES_BY_PERMISSION[permission].includes(role));
}
