import pg from 'pg';

/** Opens one connection to a database as the user in the URL; the caller has to close it. */
export async function connectClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
