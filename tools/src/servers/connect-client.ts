import pg from 'pg';

/** One connection to a database, as whoever the URL names; the caller ends it. */
export async function connectClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
