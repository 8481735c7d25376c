import { existsInEdition, PERMISSIONS, type Edition, type Permission } from '@steward/contracts';

/** A user of an account as the operations return it. */
export interface User {
  readonly id: string;
  readonly accountId: string;
  readonly username: string;
  readonly email: string;
  readonly fullName: string | null;
  readonly role: string;
  readonly permissions: readonly Permission[];
  readonly isActive: boolean;
  /** True if the user has no password yet. */
  readonly isInvited: boolean;
  readonly createdAt: Date;
}

/** A row of a user, joined with that of the role, since every read of a user needs both. */
export interface UserWithRole {
  readonly id: string;
  readonly account_id: string;
  readonly username: string;
  readonly email: string;
  readonly full_name: string | null;
  /** Hash of the password; null until the invitation is accepted. */
  readonly password_hash: string | null;
  readonly is_active: boolean;
  readonly token_generation: number;
  readonly created_at: Date;
  readonly role_id: string;
  readonly role: string;
  readonly permissions: string[];
}

/** Returns the stored permissions that exist in this edition, in the order of the catalog. */
export function effectivePermissions(stored: readonly string[], edition: Edition): Permission[] {
  return PERMISSIONS.filter((permission) => stored.includes(permission) && existsInEdition(permission, edition));
}

export function toUser(row: UserWithRole, edition: Edition): User {
  return {
    id: row.id,
    accountId: row.account_id,
    username: row.username,
    email: row.email,
    fullName: row.full_name,
    role: row.role,
    permissions: effectivePermissions(row.permissions, edition),
    isActive: row.is_active,
    isInvited: row.password_hash === null,
    createdAt: row.created_at,
  };
}
