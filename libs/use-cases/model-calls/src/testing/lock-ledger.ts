import pg from 'pg';

/** Does the work while another connection holds the lock of the ledger. */
export async function withLedgerLocked(ownerUrl: string, accountId: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select budgets.lock_books($1)', [accountId]);
    await work();
  } finally {
    await client.end();
  }
}
