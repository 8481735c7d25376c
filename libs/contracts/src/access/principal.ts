import type { RestrictedKind } from './credential-kinds.ts';
import type { KeyLimits } from './key-limits.ts';
import type { Permission } from './permissions.ts';
import type { Revisions } from './revisions.ts';

/** The caller. Read from the database on each request, so that a role change takes effect with the next one. */
export interface Principal {
  readonly kind: 'user' | 'api_key';
  readonly accountId: string;
  /** The person, or the owner of the API key. */
  readonly userId: string;
  readonly username: string;
  readonly apiKeyId: string | undefined;
  /** Set for a token of a login: the login that ends when the user logs out. */
  readonly loginId?: string | undefined;
  readonly role: string;
  readonly permissions: ReadonlySet<Permission>;
  /** For an API key: the permissions of its owner's role, regardless of the key's scopes and binding. */
  readonly rolePermissions?: ReadonlySet<Permission>;
  /** Set when the API key is bound to a managed agent: the call acts as that agent. */
  readonly runtimePrincipal:
    { readonly type: string; readonly id: string; readonly name: string | undefined } | undefined;
  /**
   * Set when the credential belongs to one running agent: it can write only to this session, and reads others in masked
   * form.
   */
  readonly runtimeSessionId?: string | undefined;
  /** Execution of that agent. */
  readonly executionId?: string | undefined;
  /** Set for a credential that acts for something other than a person and can use only routes open to its kind. */
  readonly restrictedKind?: RestrictedKind | undefined;
  /** An API key with scopes, an expiry or a parent key: keys that it creates must not outlive or exceed it. */
  readonly isLimitedKey?: boolean;
  /** Model limits of an API key and of the keys that created it. */
  readonly keyLimits?: readonly KeyLimits[] | undefined;
  /** Its agent is suspended: requests are refused for this reason. */
  readonly isSuspended?: boolean;
  /** Name of the API key, if it was looked up with the credential. */
  readonly apiKeyName?: string | undefined;
  /** Read when the caller was authenticated; undefined if the credential is looked up without them. */
  readonly revisions?: Revisions | undefined;
  /** Monotonic time in milliseconds (`performance.now`) from before they were read. */
  readonly revisionsReadAt?: number | undefined;
  /** The account's kill switch is engaged: no agent may act for the account. */
  readonly isHalted?: boolean;
}
