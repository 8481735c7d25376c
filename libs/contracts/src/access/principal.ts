import type { RestrictedKind } from './credential-kinds.ts';
import type { KeyLimits } from './key-limits.ts';
import type { Permission } from './permissions.ts';

/** Counters of an account's configuration, by context: equal counters mean that nothing was changed in between. */
export type Revisions = Readonly<Partial<Record<'models' | 'budgets', number>>>;

/** Who calls. Read from the database on each request, so a role change takes effect on the next one. */
export interface Principal {
  readonly kind: 'user' | 'api_key';
  readonly accountId: string;
  /** The person, or the owner of the API key. */
  readonly userId: string;
  readonly username: string;
  readonly apiKeyId: string | undefined;
  /** Set for a token of a login: what logging out ends. */
  readonly loginId?: string | undefined;
  readonly role: string;
  readonly permissions: ReadonlySet<Permission>;
  /** Of an API key: what the role of its owner allows, whatever its scopes and its binding leave of it. */
  readonly rolePermissions?: ReadonlySet<Permission>;
  /** Set when the API key is bound to a managed agent: the call acts as that agent. */
  readonly runtimePrincipal:
    { readonly type: string; readonly id: string; readonly name: string | undefined } | undefined;
  /** Set when the credential belongs to one running agent: it writes to this session alone, and reads others masked. */
  readonly runtimeSessionId?: string | undefined;
  /** And of which execution it is the agent. */
  readonly executionId?: string | undefined;
  /** It acts for something else than a person, and reaches the routes that are open to its kind alone. */
  readonly restrictedKind?: RestrictedKind | undefined;
  /** An API key with scopes, an expiry or a key that made it: what it makes must not outlive or outgrow it. */
  readonly isLimitedKey?: boolean;
  /** Of an API key and of those that made it: what models it may call, and how much. */
  readonly keyLimits?: readonly KeyLimits[] | undefined;
  /** Its agent is suspended: it is told so, and nothing else is done for it. */
  readonly isSuspended?: boolean;
  /** As they were when the caller was authenticated; undefined where the credential is looked up without them. */
  readonly revisions?: Revisions | undefined;
  /** The account's kill switch is thrown: nothing acts for it. */
  readonly isHalted?: boolean;
}
