import {
  findKeyKind,
  KEY_ONLY_PERMISSIONS,
  listMostPermissions,
  type Edition,
  type Permission,
  type Principal,
  type RestrictedKind,
  type Revisions,
} from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import type { TokenSigner } from '../access-token.ts';
import { hashCredential, isApiKey, isExecutionToken } from '../rules/credential-text.ts';
import { effectivePermissions } from '../../users/rules/user.ts';
import { MANAGED_AGENT } from '../../keys/store/api-key.store.ts';
import {
  findKeyOwner,
  findLoggedIn,
  touchKey,
  type KeyOwner,
  type SelectRevisions,
} from '../store/credential.store.ts';

/** The run that an agent credential belongs to. */
export interface RunningAgent {
  /** Id of the credential. */
  readonly id: string;
  readonly accountId: string;
  readonly executionId: string;
  readonly runtimeSessionId: string;
  readonly flowId: string;
  readonly flowName: string;
  /** The account's kill switch is engaged. */
  readonly isHalted: boolean;
  readonly revisions: Revisions | null;
}

export interface AuthenticateDeps {
  readonly db: AnyDatabase;
  readonly signer: TokenSigner;
  readonly edition: Edition;
  readonly now: () => Date;
  /** Read with the credential, so that a copy of configuration can be compared with what holds for this request. */
  readonly selectRevisions?: SelectRevisions | undefined;
  /** A key that acts as this agent was used; told about once a minute and key. */
  readonly noteAgentSeen?: (agent: { readonly accountId: string; readonly id: string }, now: Date) => Promise<void>;
  /**
   * The run whose agent has the credential of this hash; undefined once the run is over, even if nothing revoked it.
   */
  readonly findRunningAgent: (tokenHash: Buffer, now: Date) => Promise<RunningAgent | undefined>;
}

/** Resolves an access token or an API key with one query, so that a role change counts from the next request on. */
export async function authenticateCredential(
  deps: AuthenticateDeps,
  credential: string,
): Promise<Principal | undefined> {
  if (isExecutionToken(credential)) return authenticateExecution(deps, credential);
  return isApiKey(credential) ? authenticateKey(deps, credential) : authenticateToken(deps, credential);
}

/** A token is valid while its login lives: logging out takes effect with the next request. */
async function authenticateToken(deps: AuthenticateDeps, token: string): Promise<Principal | undefined> {
  const now = deps.now();
  const claims = await deps.signer.verify(token, now);
  if (claims === undefined) return undefined;
  const row = await findLoggedIn(deps.db, claims, { now, selectRevisions: deps.selectRevisions });
  if (row === undefined) return undefined;
  return {
    kind: 'user',
    accountId: row.account_id,
    userId: claims.userId,
    username: row.username,
    apiKeyId: undefined,
    loginId: claims.loginId,
    role: row.role,
    permissions: new Set(effectivePermissions(row.permissions, deps.edition)),
    runtimePrincipal: undefined,
    isHalted: row.halted,
    revisions: row.revisions ?? undefined,
  };
}

/** `last_used_at` is written at most once a minute: a busy key must not write on every request. */
async function authenticateKey(deps: AuthenticateDeps, key: string): Promise<Principal | undefined> {
  const now = deps.now();
  const row = await findKeyOwner(deps.db, hashCredential(key), { now, selectRevisions: deps.selectRevisions });
  if (row === undefined) return undefined;
  const { runtime_principal_type: type, runtime_principal_id: id, runtime_principal_name: name } = row;
  const runtimePrincipal = type === null || id === null ? undefined : { type, id, name: name ?? undefined };
  if (row.stale) await noteUse(deps, row, runtimePrincipal, now);
  const rolePermissions = effectivePermissions(row.permissions, deps.edition);
  const permissions = narrow(rolePermissions, row.scopes);
  const restrictedKind = findKeyKind({ isBound: runtimePrincipal !== undefined, scopes: row.scopes });
  return {
    kind: 'api_key',
    accountId: row.account_id,
    userId: row.user_id,
    username: row.username,
    apiKeyId: row.id,
    role: row.role,
    permissions: new Set(restrict(permissions, restrictedKind)),
    rolePermissions: new Set(rolePermissions),
    runtimePrincipal,
    restrictedKind,
    isLimitedKey: row.limited,
    ...(row.key_limits === null ? {} : { keyLimits: row.key_limits }),
    isSuspended: row.is_suspended,
    isHalted: row.halted,
    revisions: row.revisions ?? undefined,
  };
}

/** Records the use of the key, and of its agent unless that is suspended. */
async function noteUse(
  { db, noteAgentSeen }: AuthenticateDeps,
  key: KeyOwner,
  agent: Principal['runtimePrincipal'],
  now: Date,
): Promise<void> {
  await touchKey(db, key.id, now);
  if (agent?.type === MANAGED_AGENT && !key.is_suspended) {
    await noteAgentSeen?.({ accountId: key.account_id, id: agent.id }, now);
  }
}

/** Scopes narrow the owner's permissions; they add only those that exist for keys alone. */
function narrow(permissions: readonly Permission[], scopes: readonly string[] | null): readonly Permission[] {
  if (scopes === null) return permissions;
  return [...permissions, ...KEY_ONLY_PERMISSIONS].filter((permission) => scopes.includes(permission));
}

/**
 * A credential of this kind has at most the permissions that the contract lists, independent of its owner's
 * permissions.
 */
function restrict(permissions: readonly Permission[], kind: RestrictedKind | undefined): readonly Permission[] {
  if (kind === undefined) return permissions;
  const most = listMostPermissions(kind);
  return permissions.filter((permission) => most.includes(permission));
}

/**
 * Authenticates the agent of a running execution. It belongs to no person, so its own id takes the place of the user's.
 */
async function authenticateExecution(deps: AuthenticateDeps, token: string): Promise<Principal | undefined> {
  const agent = await deps.findRunningAgent(hashCredential(token), deps.now());
  if (agent === undefined) return undefined;
  return {
    kind: 'api_key',
    accountId: agent.accountId,
    userId: agent.id,
    username: `execution ${agent.executionId}`,
    apiKeyId: agent.id,
    role: 'execution',
    permissions: new Set(effectivePermissions(listMostPermissions('execution'), deps.edition)),
    runtimePrincipal: { type: 'flow', id: agent.flowId, name: agent.flowName },
    runtimeSessionId: agent.runtimeSessionId,
    executionId: agent.executionId,
    restrictedKind: 'execution',
    isHalted: agent.isHalted,
    revisions: agent.revisions ?? undefined,
  };
}
