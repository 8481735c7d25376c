import pg from 'pg';

/** Opens one connection to a database with the user of the URL; the caller ends it. */
export async function connectClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
