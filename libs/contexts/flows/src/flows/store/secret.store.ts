import { sql, type Selectable } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { tables, type SecretTable } from '../../schema.ts';

/** The visible fields of a named secret, which never include its value. */
export type NamedSecret = Pick<Selectable<SecretTable>, 'name' | 'created_at' | 'updated_at'>;

const VISIBLE = ['name', 'created_at', 'updated_at'] as const;

export function listSecrets(db: AnyDatabase, accountId: string): Promise<NamedSecret[]> {
  return tables(db)
    .selectFrom('flows.secret')
    .select(VISIBLE)
    .where('account_id', '=', accountId)
    .orderBy('name')
    .execute();
}

export function findSecret(db: AnyDatabase, accountId: string, name: string): Promise<NamedSecret | undefined> {
  return tables(db)
    .selectFrom('flows.secret')
    .select(VISIBLE)
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .executeTakeFirst();
}

export function upsertSecret(
  trx: AnyTransaction,
  secret: { readonly account_id: string; readonly name: string; readonly value_sealed: Buffer },
): Promise<NamedSecret> {
  return tables(trx)
    .insertInto('flows.secret')
    .values(secret)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'name'])
        .doUpdateSet({ value_sealed: secret.value_sealed, updated_at: sql<Date>`now()` }),
    )
    .returning(VISIBLE)
    .executeTakeFirstOrThrow();
}

export async function deleteSecret(trx: AnyTransaction, accountId: string, name: string): Promise<boolean> {
  const deleted = await tables(trx)
    .deleteFrom('flows.secret')
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .returning('name')
    .executeTakeFirst();
  return deleted !== undefined;
}
