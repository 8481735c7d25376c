import { sql } from 'kysely';
import type { Edition, Permission } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import type { TokenSigner } from '../rules/access-token.ts';
import { hashApiKey, isApiKey, isExecutionToken } from '../rules/api-key.ts';
import { findUserById } from '../store/user.store.ts';
import { effectivePermissions } from '../user.ts';

/** Who a credential stands for, with the permissions it has at this moment. */
export interface AuthenticatedCaller {
  readonly kind: 'user' | 'api_key';
  readonly accountId: string;
  readonly userId: string;
  readonly username: string;
  readonly apiKeyId: string | undefined;
  readonly role: string;
  readonly permissions: ReadonlySet<Permission>;
  readonly runtimePrincipal:
    { readonly type: string; readonly id: string; readonly name: string | undefined } | undefined;
  /** Set for the agent of a run: it writes to this session alone. */
  readonly runtimeSessionId?: string | undefined;
}

export interface AuthenticateDeps {
  readonly db: AnyDatabase;
  readonly signer: TokenSigner;
  readonly edition: Edition;
  readonly now: () => Date;
}

/** Resolves an access token or an API key with one query; a role change therefore counts from the next request on. */
export async function authenticateCredential(
  deps: AuthenticateDeps,
  credential: string,
): Promise<AuthenticatedCaller | undefined> {
  if (isExecutionToken(credential)) return authenticateExecution(deps, credential);
  return isApiKey(credential) ? authenticateKey(deps, credential) : authenticateToken(deps, credential);
}

async function authenticateToken(deps: AuthenticateDeps, token: string): Promise<AuthenticatedCaller | undefined> {
  const claims = await deps.signer.verify('access', token, deps.now());
  if (claims === undefined) return undefined;
  const user = await findUserById(deps.db, claims.userId);
  if (user === undefined || !user.is_active || user.token_generation !== claims.generation) return undefined;
  return {
    kind: 'user',
    accountId: user.account_id,
    userId: user.id,
    username: user.username,
    apiKeyId: undefined,
    role: user.role,
    permissions: new Set(effectivePermissions(user.permissions, deps.edition)),
    runtimePrincipal: undefined,
  };
}

interface KeyOwner {
  readonly id: string;
  readonly account_id: string;
  readonly user_id: string;
  readonly username: string;
  readonly scopes: string[];
  readonly role: string;
  readonly permissions: string[];
  readonly runtime_principal_type: string | null;
  readonly runtime_principal_id: string | null;
  readonly runtime_principal_name: string | null;
  readonly stale: boolean;
}

/** `last_used_at` is written at most once a minute: a busy key must not write on every request. */
async function authenticateKey(deps: AuthenticateDeps, key: string): Promise<AuthenticatedCaller | undefined> {
  const now = deps.now();
  const found = await sql<KeyOwner>`/* prepared */
    select key.id, key.account_id, key.user_id, key.scopes, key.runtime_principal_type, key.runtime_principal_id,
      key.runtime_principal_name, owner.username, role.name as role, role.permissions,
      coalesce(key.last_used_at < ${now}::timestamptz - interval '1 minute', true) as stale
    from gateway.api_key key
    join gateway.user_account owner on owner.id = key.user_id and owner.is_active
    join gateway.role role on role.id = owner.role_id
    where key.key_hash = ${hashApiKey(key)} and key.revoked_at is null and (key.expires_at is null or key.expires_at > ${now})
  `.execute(deps.db);
  const row = found.rows[0];
  if (row === undefined) return undefined;
  if (row.stale) await sql`update gateway.api_key set last_used_at = ${now} where id = ${row.id}`.execute(deps.db);
  const permissions = effectivePermissions(row.permissions, deps.edition);
  const { runtime_principal_type: type, runtime_principal_id: id, runtime_principal_name: name } = row;
  return {
    kind: 'api_key',
    accountId: row.account_id,
    userId: row.user_id,
    username: row.username,
    apiKeyId: row.id,
    role: row.role,
    // Scopes narrow what the owner may do; they never add to it.
    permissions: new Set(
      row.scopes.length === 0 ? permissions : permissions.filter((permission) => row.scopes.includes(permission)),
    ),
    runtimePrincipal: type === null || id === null ? undefined : { type, id, name: name ?? undefined },
  };
}

interface RunningAgent {
  readonly id: string;
  readonly account_id: string;
  readonly execution_id: string;
  readonly runtime_session_id: string;
  readonly flow_id: string;
  readonly flow_name: string;
  readonly permissions: string[];
}

/** The agent of a running execution. No person stands behind it, so its own id takes the place of the user's. */
async function authenticateExecution(deps: AuthenticateDeps, token: string): Promise<AuthenticatedCaller | undefined> {
  const found = await sql<RunningAgent>`
    select id, account_id, execution_id, runtime_session_id, flow_id, flow_name, permissions
    from gateway.execution_token where token_hash = ${hashApiKey(token)} and expires_at > ${deps.now()}
  `.execute(deps.db);
  const row = found.rows[0];
  if (row === undefined) return undefined;
  return {
    kind: 'api_key',
    accountId: row.account_id,
    userId: row.id,
    username: `execution ${row.execution_id}`,
    apiKeyId: row.id,
    role: 'execution',
    permissions: new Set(effectivePermissions(row.permissions, deps.edition)),
    runtimePrincipal: { type: 'flow', id: row.flow_id, name: row.flow_name },
    runtimeSessionId: row.runtime_session_id,
  };
}
