import type { RestrictedKind } from './credential-kinds.ts';
import type { KeyLimits } from './key-limits.ts';
import type { Permission } from './permissions.ts';
import type { Revisions } from './revisions.ts';

/** Part of an account's webhook endpoints that the holder of a portal link may manage (HOOK-50). */
export interface PortalScope {
  /** Group of the endpoints. */
  readonly group: string;
  /** Event types to which the endpoints may subscribe. */
  readonly eventTypes: readonly string[];
}

/**
 * The caller. Its data is read from the database on each request, or is that of an earlier request if nothing has
 * changed since then (ACC-54), so that a role change takes effect on the next request.
 */
export interface Principal {
  readonly kind: 'user' | 'api_key';
  readonly accountId: string;
  /**
   * Id of the person, or of the owner of the API key; for the token of an execution, the id of the token; for a portal
   * link, the id of the link.
   */
  readonly userId: string;
  readonly username: string;
  readonly apiKeyId: string | undefined;
  /** Id of the login, for a token of a login; the login ends when the user logs out. */
  readonly loginId?: string | undefined;
  readonly role: string;
  readonly permissions: ReadonlySet<Permission>;
  /** Permissions of the owner's role, for an API key, regardless of the key's scopes and binding. */
  readonly rolePermissions?: ReadonlySet<Permission>;
  /**
   * Agent as which the caller acts: the agent to which the API key is bound, or the flow of an execution; undefined for
   * other callers.
   */
  readonly runtimePrincipal:
    { readonly type: string; readonly id: string; readonly name: string | undefined } | undefined;
  /**
   * Session of the execution to which the credential belongs. The agent can write only to this session, and reads other
   * sessions in masked form.
   */
  readonly runtimeSessionId?: string | undefined;
  /** Id of this execution. */
  readonly executionId?: string | undefined;
  /** Kind of a credential that does not act for a person; it can use only routes that are open to its kind. */
  readonly restrictedKind?: RestrictedKind | undefined;
  /** Set for a portal link. */
  readonly portal?: PortalScope | undefined;
  /**
   * True for an API key with scopes, an expiry or a parent key: it cannot create users or roles, or grant permissions,
   * since it could use these to exceed its own limits (ACC-46).
   */
  readonly isLimitedKey?: boolean;
  /** Model limits of an API key and of the keys that created it. */
  readonly keyLimits?: readonly KeyLimits[] | undefined;
  /** True if the caller's agent is suspended, so that requests are refused for this reason. */
  readonly isSuspended?: boolean;
  /** Name of the API key, if it was looked up with the credential. */
  readonly apiKeyName?: string | undefined;
  /**
   * Counters that were read when the caller was authenticated; undefined if the credential was looked up without them.
   */
  readonly revisions?: Revisions | undefined;
  /** Monotonic time in milliseconds (`performance.now`) just before the counters were read. */
  readonly revisionsReadAt?: number | undefined;
  /** True if the account's kill switch is engaged, so that no agent may act for the account. */
  readonly isHalted?: boolean;
}
