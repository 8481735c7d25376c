import pg from 'pg';

/**
 * Returns the tables with a row that contains the string, in any column, as text or as bytes: equivalent to a search in
 * a dump.
 */
export async function findInDatabase(databaseUrl: string, text: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    );
    const found: string[] = [];
    for (const { name } of tables.rows) {
      // Bytes are printed as hexadecimal digits.
      const hits = await client.query(
        `select 1 from ${name} r where strpos(r::text, $1) > 0 or strpos(r::text, $2) > 0 limit 1`,
        [text, Buffer.from(text).toString('hex')],
      );
      if (hits.rowCount !== 0) found.push(name);
    }
    return found;
  } finally {
    await client.end();
  }
}
