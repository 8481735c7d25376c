import { sql } from 'kysely';
import type { Database } from '@steward/database';

/**
 * The tables of the database, each once, with a row that holds the text in any column: as text, or as the bytes of it. What a dump of
 * it would be searched for.
 */
export async function findStoredText({ db }: Pick<Database, 'db'>, text: string): Promise<string[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1, 2
  `.execute(db);
  const found: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql`
      select from ${sql.id(schema, name)} stored
      where position(${text} in stored::text) > 0 or position(${Buffer.from(text).toString('hex')} in stored::text) > 0 limit 1
    `.execute(db);
    if (rows.length > 0) found.push(`${schema}.${name}`);
  }
  return found;
}
