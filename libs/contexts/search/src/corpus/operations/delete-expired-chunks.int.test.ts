import { beginTrace, newId } from '@steward/crypto';
import { APP_ROLES, transact, type Database } from '@steward/database';
import { openClone, type Clone } from '@steward/database/testing';
import { deleteExpiredChunks } from './delete-expired-chunks.ts';
import { writeChunks } from './write-chunks.ts';

describe('retention of the corpus', () => {
  let clone: Clone;
  let database: Database;
  /** Connection of the process that deletes expired chunks. */
  let indexer: Database;
  const accounts = [newId(), newId(), newId()];
  const signal = new AbortController().signal;
  const before = new Date('2026-10-15T00:00:00Z');

  beforeAll(async () => {
    clone = await openClone({ poolSize: 4 });
    database = clone.admin;
    indexer = clone.connectAs(APP_ROLES.searchIndexer);
  });
  afterAll(() => clone.close());

  async function write(accountId: string, occurredAt: string, count: number): Promise<void> {
    await transact(
      { db: database.db, broker: { publishHint: () => undefined }, traceparent: beginTrace() },
      (trx, hints) =>
        writeChunks(
          trx,
          hints,
          Array.from({ length: count }, () => ({
            accountId,
            runtimeSessionId: newId(),
            sourceKind: 'tool_call' as const,
            sourceId: newId(),
            occurredAt: new Date(occurredAt),
            role: null,
            text: 'content to keep or not',
            redactionState: 'clear' as const,
          })),
        ),
    );
  }
  const count = async (accountId: string): Promise<number> => {
    const found = await database.pool.query('select count(*) as count from search.chunk where account_id = $1', [
      accountId,
    ]);
    return found.rows[0].count;
  };

  it('deletes expired chunks of every account in batches, and nothing else', async () => {
    for (const accountId of accounts.slice(0, 2)) await write(accountId, '2026-10-01T00:00:00Z', 25);
    for (const accountId of accounts) await write(accountId, '2026-10-20T00:00:00Z', 3);
    expect(await deleteExpiredChunks(indexer.db, { before, batchSize: 10, signal })).toBe(50);
    expect(await Promise.all(accounts.map(count))).toEqual([3, 3, 3]);
    expect(await deleteExpiredChunks(indexer.db, { before, batchSize: 10, signal })).toBe(0);
  });

  it('never waits for a writer, and never blocks a writer', async () => {
    const [accountId = ''] = accounts;
    await write(accountId, '2026-10-01T00:00:00Z', 30);
    const writer = await database.pool.connect();
    await writer.query('begin');
    await writer.query('update search.chunk set status = $2 where account_id = $1 and occurred_at > $3', [
      accountId,
      'held',
      before,
    ]);
    expect(await deleteExpiredChunks(indexer.db, { before, batchSize: 10, signal })).toBe(30);
    await writer.query('commit');
    writer.release();
  });

  it.each(['role', 'tsv', 'status'])(
    'uses a role that may read the embedded text of a chunk, but not its %s',
    async (column) => {
      const read = indexer.pool.query(`select ${column} from search.chunk`);
      await expect(read).rejects.toMatchObject({ code: '42501' });
    },
  );

  it('stops between two batches when the process shuts down', async () => {
    const [accountId = ''] = accounts;
    await write(accountId, '2026-10-01T00:00:00Z', 5);
    expect(await deleteExpiredChunks(indexer.db, { before, batchSize: 10, signal: AbortSignal.abort() })).toBe(0);
  });
});
