/**
 * Identity context: accounts, users, roles, permissions, API keys, logins, passwords, invitations, the kill switch, and
 * determining the caller from a credential.
 *
 * Not here: HTTP, auditing (done by the routes with the audit context), an agent's sessions (the sessions context).
 * Used by: api-gateway, flow-trigger (credentials of runs), backfill-sweeper (ids of accounts), and the contexts, APIs
 * and use cases that need accounts, users, roles, keys or the kill switch.
 */
export {
  createAuthenticate,
  type PortalLinkOwner,
  type RunningAgent,
} from './credentials/operations/create-authenticate.ts';
export { createAwaitCallers, type AwaitCallers } from './credentials/operations/await-callers.ts';
export { createKnownCallers, type KnownCallers } from './credentials/operations/known-callers.ts';
export { CALLER_CHANNEL } from './credentials/store/caller-lease.store.ts';
export { createPortalToken } from './credentials/operations/create-portal-token.ts';
export { selectNoRevisions, type SelectRevisions } from './credentials/store/credential.store.ts';
export { issueExecutionToken, type LeasedExecution } from './credentials/operations/issue-execution-token.ts';
export { createTokenSigner, type TokenSigner } from './credentials/access-token.ts';
export { revokeExecutionTokens, selectExecutionTokens } from './credentials/store/execution-token.store.ts';

export { acceptInvitation } from './invitations/operations/accept-invitation.ts';
export { issueInvitation, type Invitation } from './invitations/operations/issue-invitation.ts';
export { prepareAcceptance } from './invitations/operations/prepare-acceptance.ts';

export { createApiKey, type CreateApiKeyOutcome } from './keys/operations/create-api-key.ts';
export { updateApiKey, type ApiKeyPatch } from './keys/operations/update-api-key.ts';
export { findApiKey, listApiKeys } from './keys/operations/read-api-keys.ts';
export type { ApiKey } from './keys/rules/api-key.ts';
export {
  findLiveKeyIds,
  isAgentOfKey,
  MANAGED_AGENT,
  moveKeysOfAgent,
  revokeApiKey,
  revokeKeysOfAgent,
  suspendKeysOfAgent,
  type KeyReach,
} from './keys/store/api-key.store.ts';

export type { KillSwitch } from './kill-switch/kill-switch.ts';
export {
  findKillSwitch,
  isHalted,
  saveKillSwitch,
  type KillSwitchChange,
} from './kill-switch/store/kill-switch.store.ts';

export type { LoginLimits } from './logins/operations/check-password.ts';
export { endAllLogins, endBrowserLogin, endLogin } from './logins/operations/end-logins.ts';
export { deleteOwnLogin, listLogins } from './logins/store/login.store.ts';
export {
  login,
  type IssuedTokens,
  type LoginKind,
  type LoginOutcome,
  type TokenLifetimes,
} from './logins/operations/login.ts';
export { refreshLogin } from './logins/operations/refresh-login.ts';

export { changePassword } from './passwords/operations/change-password.ts';
export { hashNewPassword } from './passwords/operations/hash-new-password.ts';
export { preparePasswordChange } from './passwords/operations/prepare-password-change.ts';

export { requireApiKeyQuota, requireRoleQuota, requireUserQuota } from './quotas/store/quota.store.ts';

export { deleteRole, updateRolePermissions } from './roles/operations/change-role.ts';
export { createRole } from './roles/operations/create-role.ts';
export { listRoles, type Role } from './roles/store/role.store.ts';

export { createUser, type CreateUserOutcome } from './users/operations/create-user.ts';
export { findAccountUsers } from './users/operations/find-account-users.ts';
export { findUser } from './users/operations/find-user.ts';
export { listUsers } from './users/operations/list-users.ts';
export { registerAccount } from './users/operations/register-account.ts';
export { updateUser } from './users/operations/update-user.ts';
export type { User } from './users/rules/user.ts';
export { findDecider, listDeciders, listWorkflowManagers, type Decider } from './users/store/decider.store.ts';
export { hasAccount, isAccount, isOnlyAccount, isActiveUser, listAccountIds } from './users/store/account.store.ts';

export { purgeIdentity } from './purge-identity.ts';
