import type { Permission } from './permissions.ts';

/**
 * Kinds of credentials that do not act for a person. Routes are closed to them by default: such a credential can use
 * only routes that list its kind in `openTo` (ACC-45). Logins of people, and keys that are not of one of these kinds,
 * are limited only by their role and scopes.
 *
 * `agent_key`: an API key that is bound to an agent; the key of an agent's hook is such a key with fewer scopes.
 * `execution`: the token of a flow's execution. `discovery_key`: an API key whose only scope is `report_discovery`; it
 * is installed on many machines. `portal_link`: the token of a webhook portal, which is limited to the endpoints of one
 * group (HOOK-50). Enrollments have no separate kind: a person enrolls an agent, which then receives a key.
 */
export const RESTRICTED_KINDS = ['agent_key', 'execution', 'discovery_key', 'portal_link'] as const;

export type RestrictedKind = (typeof RESTRICTED_KINDS)[number];

/** Credentials of agents, for the routes intended for agents. */
export const AGENT_KINDS: readonly RestrictedKind[] = ['agent_key', 'execution'];

/**
 * The maximum permissions of each kind, regardless of the role of the owner and the scopes of the key. None of these
 * credentials may be used to change what agents are allowed to do: they cannot decide on approvals, or change policies,
 * budgets, people, keys, servers, models, webhooks, flows, enrollments or settings. The exception is `portal_link`,
 * which has the permissions that the routes for endpoints require. These routes give it access only to the endpoints of
 * its group; all other routes that require the same permissions are closed to it.
 */
const MOST: Record<RestrictedKind, readonly Permission[]> = {
  agent_key: [
    'view_runtime_sessions',
    'manage_runtime_sessions',
    'search_session_content',
    'view_flows',
    'view_approvals',
    'view_ai_models',
  ],
  execution: ['view_runtime_sessions', 'manage_runtime_sessions', 'search_session_content', 'view_flows'],
  discovery_key: ['report_discovery'],
  portal_link: ['view_policies', 'manage_policies'],
};

/** Returns the maximum permissions of a credential of this kind. */
export function listMostPermissions(kind: RestrictedKind): readonly Permission[] {
  return MOST[kind];
}

/** Determines the kind of an API key by its properties; undefined for a key that acts for its owner. */
export function findKeyKind(key: {
  readonly isBound: boolean;
  readonly scopes: readonly string[] | null;
}): RestrictedKind | undefined {
  if (key.scopes?.length === 1 && key.scopes[0] === 'report_discovery') return 'discovery_key';
  return key.isBound ? 'agent_key' : undefined;
}
