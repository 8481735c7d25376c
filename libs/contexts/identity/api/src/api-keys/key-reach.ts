import { AppError, type Principal } from '@steward/contracts';
import type { KeyReach } from '@steward/identity';

/**
 * Returns the keys that the caller may see: for a person, their own keys, or with `manage_users` all keys of the
 * account; for a key, the key itself and its descendants.
 */
export function readKeyReach(principal: Principal): KeyReach {
  const { accountId, userId, apiKeyId } = principal;
  if (principal.kind === 'api_key') return { accountId, userId, belowKeyId: apiKeyId };
  return principal.permissions.has('manage_users') ? { accountId } : { accountId, userId };
}

/**
 * Checks that the caller may manage keys: a person always may, a key needs the scope `manage_api_keys`, and the token
 * of a run never may. @throws permission_denied
 */
export function requireKeyManagement(principal: Principal): void {
  if (principal.runtimeSessionId !== undefined) {
    // When the run ends, its token becomes invalid, but a key created by the run would remain valid.
    throw new AppError('permission_denied', {
      message: 'The token of an execution cannot manage API keys.',
      detail: { permission: 'manage_api_keys' },
    });
  }
  if (principal.kind === 'user' || principal.permissions.has('manage_api_keys')) return;
  throw new AppError('permission_denied', {
    message: 'An API key can manage keys only if its scopes include "manage_api_keys".',
    detail: { permission: 'manage_api_keys' },
  });
}
