import { AppError, existsInEdition, type Edition, type Permission } from '@steward/contracts';

/**
 * Checks that all permissions exist in this edition, since a role cannot contain others (ACC-22). @throws
 * invalid_request
 */
export function requireAvailable(permissions: readonly Permission[], edition: Edition): void {
  const unavailable = permissions.find((permission) => !existsInEdition(permission, edition));
  if (unavailable === undefined) return;
  throw new AppError('invalid_request', {
    message: `"${unavailable}" exists only in the enterprise edition.`,
    detail: { field: 'permissions' },
  });
}
