import type { Permission } from '@steward/contracts';
import { newId } from '@steward/crypto';
import { isUniqueViolation, type AnyTransaction } from '@steward/database';
import { findRole, insertRole, type Role } from '../store/role.store.ts';

export type CreateRoleOutcome = { readonly kind: 'created'; readonly role: Role } | { readonly kind: 'taken' };

/**
 * Creates a custom role of the account. It must not have the name of a system role or of another role of the account.
 */
export async function createRole(
  trx: AnyTransaction,
  input: { readonly accountId: string; readonly name: string; readonly permissions: readonly Permission[] },
): Promise<CreateRoleOutcome> {
  const name = input.name.toLowerCase();
  if ((await findRole(trx, input.accountId, name)) !== undefined) return { kind: 'taken' };
  const id = newId();
  const permissions = [...new Set(input.permissions)].sort();
  try {
    await insertRole(trx, { id, account_id: input.accountId, name, permissions });
  } catch (error) {
    if (isUniqueViolation(error)) return { kind: 'taken' };
    throw error;
  }
  return { kind: 'created', role: { id, name, permissions, isSystem: false } };
}
