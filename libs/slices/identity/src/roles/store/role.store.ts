import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { tables } from '../../schema.ts';

export interface Role {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly isSystem: boolean;
}

/** The system roles and the account's own. */
export async function listRoles(db: AnyDatabase, accountId: string): Promise<Role[]> {
  const rows = await tables(db)
    .selectFrom('gateway.role')
    .select(['id', 'name', 'permissions', 'account_id'])
    .where((where) => where.or([where('account_id', 'is', null), where('account_id', '=', accountId)]))
    .orderBy('account_id', (order) => order.asc().nullsFirst())
    .orderBy('name')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    permissions: row.permissions,
    isSystem: row.account_id === null,
  }));
}

/** A role the account may give: an own one, else the system role of that name. */
export async function findRole(db: AnyDatabase, accountId: string, name: string): Promise<Role | undefined> {
  const roles = (await listRoles(db, accountId)).filter((role) => role.name === name.toLowerCase());
  return roles[0];
}

export async function insertRole(
  trx: AnyTransaction,
  role: { readonly id: string; readonly account_id: string; readonly name: string; readonly permissions: string[] },
): Promise<void> {
  await tables(trx).insertInto('gateway.role').values(role).execute();
}
