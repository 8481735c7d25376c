/** Permissions and the system roles that carry them (decisions.md section 2). */
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
  'view_approvals',
  'decide_approvals',
  'manage_approval_workflows',
  'view_agents',
  'manage_agents',
  'control_managed_agent',
  'view_audit_logs',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** Exists only in the enterprise edition: elsewhere no role carries it and no route asks for it. */
export const ENTERPRISE_PERMISSIONS: readonly Permission[] = ['search_session_content'];

export const SYSTEM_ROLES = ['owner', 'admin', 'editor', 'executor', 'tracker_manager', 'analyst', 'viewer'] as const;

export type SystemRole = (typeof SYSTEM_ROLES)[number];

const OWNER_AND_ADMIN: readonly SystemRole[] = ['owner', 'admin'];
const EDITORS: readonly SystemRole[] = ['owner', 'admin', 'editor'];
const EXECUTORS: readonly SystemRole[] = ['owner', 'admin', 'editor', 'executor'];
const READERS: readonly SystemRole[] = SYSTEM_ROLES.filter((role) => role !== 'tracker_manager');
const ANALYSTS: readonly SystemRole[] = ['owner', 'admin', 'analyst'];

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
  view_approvals: READERS,
  decide_approvals: READERS,
  manage_approval_workflows: EDITORS,
  view_agents: SYSTEM_ROLES,
  manage_agents: EDITORS,
  control_managed_agent: EDITORS,
  view_audit_logs: ANALYSTS,
};

/** The permissions a system role is seeded with, in catalogue order. */
export function listSystemRolePermissions(role: SystemRole): Permission[] {
  return PERMISSIONS.filter((permission) => ROLES_BY_PERMISSION[permission].includes(role));
}
