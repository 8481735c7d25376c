import type { Permission } from './permissions.ts';

/**
 * Kinds of credentials that act for something else than a person. They are closed by default: a route is reached by those that it
 * names (`openTo`), and no other (ACC-45). Logins of people, and keys that are none of these, do what their role and scopes say.
 *
 * `agent_key`: an API key that is bound to an agent; the key of a hook is one with fewer scopes. `execution`: the token of a run.
 * `discovery_key`: an API key whose only scope is `report_discovery`; it stands on machines of everybody. An enrollment has no
 * credential of its own: a person enrolls an agent, which is given a key.
 */
export const RESTRICTED_KINDS = ['agent_key', 'execution', 'discovery_key'] as const;

export type RestrictedKind = (typeof RESTRICTED_KINDS)[number];

/** What agents work with, for the routes that are made for them. */
export const AGENT_KINDS: readonly RestrictedKind[] = ['agent_key', 'execution'];

/**
 * The most that each of them may ever do, whatever the role of its owner and the scopes of the key allow besides. None has a
 * permission that changes what agents may do: policies, approvals, budgets, people, keys, servers, models, webhooks, flows,
 * enrollments and settings are out of reach.
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
};

/** The permissions that a credential of this kind can have; undefined for those of people, which have what their role has. */
export function listMostPermissions(kind: RestrictedKind): readonly Permission[] {
  return MOST[kind];
}

/** Which kind an API key is of, by what it was made with; undefined for one that acts for its owner. */
export function findKeyKind(key: {
  readonly isBound: boolean;
  readonly scopes: readonly string[] | null;
}): RestrictedKind | undefined {
  if (key.scopes?.length === 1 && key.scopes[0] === 'report_discovery') return 'discovery_key';
  return key.isBound ? 'agent_key' : undefined;
}
