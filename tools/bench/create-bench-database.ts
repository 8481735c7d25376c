import { connectClient } from '../src/servers/connect-client.ts';

/** Creates the database of the benches, if it does not exist; returns its URL. */
export async function createBenchDatabase(adminUrl: string): Promise<string> {
  const admin = await connectClient(adminUrl);
  try {
    const found = await admin.query("select 1 from pg_database where datname = 'bench'");
    if (found.rowCount === 0) await admin.query('create database bench');
  } finally {
    await admin.end();
  }
  const url = new URL(adminUrl);
  url.pathname = '/bench';
  return url.href;
}
