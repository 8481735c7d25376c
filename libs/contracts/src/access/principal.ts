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

/** The caller. Read from the database on each request, so that a role change takes effect on the next request. */
export interface Principal {
  readonly kind: 'user' | 'api_key';
  readonly accountId: string;
  /** The person, or the owner of the API key. */
  readonly userId: string;
  readonly username: string;
  readonly apiKeyId: string | undefined;
  /** The login, for a token of a login; it ends when the user logs out. */
  readonly loginId?: string | undefined;
  readonly role: string;
  readonly permissions: ReadonlySet<Permission>;
  /** For an API key: the permissions of its owner's role, regardless of the key's scopes and binding. */
  readonly rolePermissions?: ReadonlySet<Permission>;
  /** Set when the API key is bound to a managed agent: the call acts as that agent. */
  readonly runtimePrincipal:
    { readonly type: string; readonly id: string; readonly name: string | undefined } | undefined;
  /**
   * Set when the credential belongs to one running agent, which can write only to this session and reads others in
   * masked form.
   */
  readonly runtimeSessionId?: string | undefined;
  /** The execution of that agent. */
  readonly executionId?: string | undefined;
  /** Set for a credential that does not act for a person; it can use only routes that are open to its kind. */
  readonly restrictedKind?: RestrictedKind | undefined;
  /** Set for a portal link. */
  readonly portal?: PortalScope | undefined;
  /**
   * Set for an API key with scopes, an expiry or a parent key: keys that it creates must not be valid longer or have
   * more permissions.
   */
  readonly isLimitedKey?: boolean;
  /** Model limits of an API key and of the keys that created it. */
  readonly keyLimits?: readonly KeyLimits[] | undefined;
  /** True if its agent is suspended, so that requests are refused for this reason. */
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
