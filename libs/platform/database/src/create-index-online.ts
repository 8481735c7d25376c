import { sql } from 'kysely';
import type { AnyDatabase } from './transact.ts';

export interface OnlineIndex {
  readonly schema: string;
  readonly name: string;
  /** SQL after the index name, for example `on schema.table (column) where ...`. */
  readonly definition: string;
  readonly isUnique?: boolean;
}

/**
 * Builds an index in an online migration, without blocking readers or writers of the table. An incomplete index of an
 * earlier attempt is dropped and built again.
 */
export async function createIndexOnline(db: AnyDatabase, index: OnlineIndex): Promise<void> {
  const { schema, name, definition, isUnique = false } = index;
  const { rows } = await sql<{ indisvalid: boolean }>`
    select i.indisvalid from pg_index i join pg_class c on c.oid = i.indexrelid
    join pg_namespace n on n.oid = c.relnamespace where n.nspname = ${schema} and c.relname = ${name}
  `.execute(db);
  if (rows[0]?.indisvalid === true) return;
  const unique = sql.raw(isUnique ? 'unique' : '');
  await db.connection().execute(async (connection) => {
    // The lock timeout is disabled: the build waits for running transactions without holding a lock that blocks others,
    // and cancelling it would leave an invalid index.
    await sql`set lock_timeout = 0`.execute(connection);
    try {
      if (rows.length > 0) await sql`drop index concurrently ${sql.id(schema, name)}`.execute(connection);
      await sql`create ${unique} index concurrently ${sql.id(name)} ${sql.raw(definition)}`.execute(connection);
    } finally {
      await sql`reset lock_timeout`.execute(connection);
    }
  });
}
