import { EDITIONS } from './editions.ts';
import {
  existsInEdition,
  KEY_ONLY_PERMISSIONS,
  listSystemRolePermissions,
  PERMISSIONS,
  ROLE_PERMISSIONS,
  SYSTEM_ROLES,
  type Permission,
  type SystemRole,
} from './permissions.ts';

/** The complete table of ACC-21, so that a mistake in a shared list of permissions is detected. */
const TABLE = `
  manage_users              : owner admin
  view_runtime_sessions     : owner admin editor executor analyst viewer
  manage_runtime_sessions   : owner admin editor executor
  search_session_content    : owner admin analyst
  manage_budgets            : owner admin
  view_policies             : owner admin editor executor analyst viewer
  manage_policies           : owner admin editor
  view_flows                : owner admin editor executor tracker_manager analyst viewer
  create_flows              : owner admin editor
  edit_flows                : owner admin editor
  delete_flows              : owner admin editor
  execute_flows             : owner admin editor executor
  view_trackers             : owner admin editor executor tracker_manager analyst viewer
  manage_trackers           : owner admin tracker_manager
  view_approvals            : owner admin editor executor analyst viewer
  decide_approvals          : owner admin editor executor analyst viewer
  manage_approval_workflows : owner admin editor
  view_agents               : owner admin editor executor tracker_manager analyst viewer
  manage_agents             : owner admin editor
  control_managed_agent     : owner admin editor
  view_audit_logs           : owner admin analyst
  view_ai_models            : owner admin editor executor tracker_manager analyst viewer
  manage_ai_models          : owner admin editor
  view_cost                 : owner admin editor analyst viewer
  manage_kill_switch        : owner admin
  report_discovery          : owner admin editor executor`;
const GRANTED = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/[\s:]+/));

describe('the permissions of system roles (ACC-21)', () => {
  it.each(SYSTEM_ROLES)('%s has exactly the permissions in the table, in the order of the catalog', (role) => {
    const granted = GRANTED.filter(([, ...roles]) => roles.includes(role)).map(([permission]) => permission);
    expect(listSystemRolePermissions(role)).toEqual(granted);
  });

  it('give the owner every permission that a role can have', () => {
    expect(listSystemRolePermissions('owner')).toEqual(ROLE_PERMISSIONS);
  });

  it.each(SYSTEM_ROLES)('%s may view everything it may change', (role) => {
    const own = listSystemRolePermissions(role);
    const changes: readonly (readonly [Permission, Permission])[] = [
      ['manage_runtime_sessions', 'view_runtime_sessions'],
      ['search_session_content', 'view_runtime_sessions'],
      ['manage_policies', 'view_policies'],
      ['create_flows', 'view_flows'],
      ['edit_flows', 'view_flows'],
      ['delete_flows', 'view_flows'],
      ['execute_flows', 'view_flows'],
      ['manage_approval_workflows', 'view_approvals'],
      ['decide_approvals', 'view_approvals'],
      ['manage_agents', 'view_agents'],
      ['control_managed_agent', 'view_agents'],
      ['manage_ai_models', 'view_ai_models'],
      ['manage_trackers', 'view_trackers'],
    ];
    expect(changes.filter(([change, look]) => own.includes(change) && !own.includes(look))).toEqual([]);
  });
});

describe('a comparison of two system roles (ACC-21)', () => {
  const permissionsOf = (role: SystemRole): ReadonlySet<string> => new Set(listSystemRolePermissions(role));

  it.each<[SystemRole, SystemRole]>([
    ['admin', 'owner'],
    ['editor', 'admin'],
    ['executor', 'editor'],
    ['viewer', 'editor'],
    ['viewer', 'analyst'],
    ['analyst', 'admin'],
    ['tracker_manager', 'admin'],
  ])('%s may do nothing that %s may not', (lesser, greater) => {
    const own = permissionsOf(greater);
    expect([...permissionsOf(lesser)].filter((permission) => !own.has(permission))).toEqual([]);
  });

  it.each<[SystemRole, RegExp]>([
    ['viewer', /^(?:view|decide)_/],
    ['analyst', /^(?:view|search|decide)_/],
    ['tracker_manager', /^(?:view_|manage_trackers$)/],
  ])('%s changes nothing except what it decides', (role, kind) => {
    expect([...permissionsOf(role)].filter((permission) => !kind.test(permission))).toEqual([]);
  });

  it('only owner and admin may change the account itself', () => {
    for (const permission of ['manage_users', 'manage_budgets', 'manage_kill_switch'])
      expect(SYSTEM_ROLES.filter((role) => permissionsOf(role).has(permission))).toEqual(['owner', 'admin']);
  });
});

describe('special permissions', () => {
  it('for reading the content of all sessions exist only in the enterprise edition (ACC-22)', () => {
    for (const edition of EDITIONS) {
      const missing = PERMISSIONS.filter((permission) => !existsInEdition(permission, edition));
      expect(missing).toEqual(edition === 'enterprise' ? [] : ['search_session_content']);
    }
  });

  it('that must be granted to a key explicitly belong to no role (ACC-26)', () => {
    expect(KEY_ONLY_PERMISSIONS).toEqual(['manage_api_keys']);
    const carried = SYSTEM_ROLES.flatMap(listSystemRolePermissions);
    expect(KEY_ONLY_PERMISSIONS.filter((permission) => carried.includes(permission))).toEqual([]);
  });

  it('are excluded from custom roles (ACC-15)', () => {
    expect(new Set([...ROLE_PERMISSIONS, ...KEY_ONLY_PERMISSIONS])).toEqual(new Set(PERMISSIONS));
    expect(ROLE_PERMISSIONS.filter((permission) => KEY_ONLY_PERMISSIONS.includes(permission))).toEqual([]);
  });

  it('have names that are valid as a setting, a header and a column', () => {
    expect(PERMISSIONS.filter((permission) => !/^[a-z]+(_[a-z]+)*$/.test(permission))).toEqual([]);
    expect(new Set(PERMISSIONS).size).toBe(PERMISSIONS.length);
  });
});
