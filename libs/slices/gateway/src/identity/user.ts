import { ENTERPRISE_PERMISSIONS, PERMISSIONS, type Edition, type Permission } from '@steward/contracts';

/** A person of an account as the operations answer it. */
export interface User {
  readonly id: string;
  readonly accountId: string;
  readonly username: string;
  readonly email: string;
  readonly fullName: string | null;
  readonly role: string;
  readonly permissions: readonly Permission[];
  readonly isActive: boolean;
  readonly createdAt: Date;
}

/** Stored permissions as they count in this edition, in catalogue order. */
export function effectivePermissions(stored: readonly string[], edition: Edition): Permission[] {
  return PERMISSIONS.filter(
    (permission) =>
      stored.includes(permission) && (edition === 'enterprise' || !ENTERPRISE_PERMISSIONS.includes(permission)),
  );
}
