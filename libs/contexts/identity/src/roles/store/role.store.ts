import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { tables } from '../../schema.ts';

export interface Role {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly isSystem: boolean;
}

const selectRoles = (db: AnyDatabase, accountId: string) =>
  tables(db)
    .selectFrom('gateway.role')
    .select(['id', 'name', 'permissions', 'account_id'])
    .where((where) => where.or([where('account_id', 'is', null), where('account_id', '=', accountId)]));

type RoleRow = Awaited<ReturnType<ReturnType<typeof selectRoles>['executeTakeFirstOrThrow']>>;

const toRole = ({ id, name, permissions, account_id: owner }: RoleRow): Role => ({
  id,
  name,
  permissions,
  isSystem: owner === null,
});

/** Returns the system roles and the account's custom roles. */
export async function listRoles(db: AnyDatabase, accountId: string): Promise<Role[]> {
  const rows = await selectRoles(db, accountId)
    .orderBy('account_id', (order) => order.asc().nullsFirst())
    .orderBy('name')
    .execute();
  return rows.map(toRole);
}

/** Returns a role that the account may assign, by its name; it cannot be deleted before the transaction ends. */
export async function findRole(db: AnyDatabase, accountId: string, name: string): Promise<Role | undefined> {
  const row = await selectRoles(db, accountId).where('name', '=', name.toLowerCase()).forKeyShare().executeTakeFirst();
  return row === undefined ? undefined : toRole(row);
}

/** Returns a role by its id, locked against changes and assignments until the transaction ends. */
export async function lockRole(
  trx: AnyTransaction,
  { accountId, roleId }: { readonly accountId: string; readonly roleId: string },
): Promise<Role | undefined> {
  const row = await selectRoles(trx, accountId).where('id', '=', roleId).forUpdate().executeTakeFirst();
  return row === undefined ? undefined : toRole(row);
}

export async function updatePermissions(trx: AnyTransaction, { id, permissions }: Role): Promise<void> {
  await tables(trx)
    .updateTable('gateway.role')
    .set({ permissions: [...permissions] })
    .where('id', '=', id)
    .execute();
}

export async function deleteRole(trx: AnyTransaction, id: string): Promise<void> {
  await tables(trx).deleteFrom('gateway.role').where('id', '=', id).execute();
}

/** Counts users with the role, including deactivated ones. */
export async function countUsersOfRole(
  trx: AnyTransaction,
  { accountId, roleId }: { readonly accountId: string; readonly roleId: string },
): Promise<number> {
  const { count } = await tables(trx)
    .selectFrom('gateway.user_account')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .where('role_id', '=', roleId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertRole(
  trx: AnyTransaction,
  role: { readonly id: string; readonly account_id: string; readonly name: string; readonly permissions: string[] },
): Promise<void> {
  await tables(trx).insertInto('gateway.role').values(role).execute();
}
