import pg from 'pg';
import { newId } from '@steward/crypto';
import { APP_ROLES, type Database } from '@steward/database';
import { connectTestDatabase } from '@steward/database/testing';
import { createTestDatabase, type TestDatabase } from '@steward/testing';
import { createAuditQueue, type AuditQueue } from './audit-queue.ts';

describe('the queue of search audit rows', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let admin: pg.Client;
  let queue: AuditQueue;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = connectTestDatabase(testDatabase.urlForRole(APP_ROLES.apiGateway), {
      applicationName: 'audit-queue-test',
      sessionSettings: { statement_timeout: '60s' },
    });
    admin = new pg.Client({ connectionString: testDatabase.url });
    await admin.connect();
    queue = createAuditQueue(database.db, 60_000);
  });
  afterAll(async () => {
    await admin.end();
    await database.close();
    await testDatabase.drop();
  });

  const record = (accountId: string) =>
    queue.record({
      accountId,
      actor: { kind: 'user', id: newId() },
      source: 'console',
      action: 'query',
      resourceType: 'session_search',
      resourceId: null,
      status: 'success',
      details: {},
      requestId: newId(),
    });
  /** Sets a time limit on the statements of the only connection of the pool. */
  const limitStatements = (time: string) => database.pool.query(`set statement_timeout = '${time}'`);
  const countRows = async (accountId: string): Promise<number> => {
    const text = 'select count(*)::int as rows from gateway.audit_log where account_id = $1';
    return (await admin.query<{ rows: number }>(text, [accountId])).rows[0]?.rows ?? 0;
  };

  it('writes every row once, however many searches end at the same time', async () => {
    const accountId = newId();
    await Promise.all(Array.from({ length: 200 }, () => record(accountId)));
    expect(await countRows(accountId)).toBe(200);
  });

  it('continues with a new connection if the server closes the previous one', async () => {
    const accountId = newId();
    await record(accountId);
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'audit-queue-test'`,
    );
    await Promise.all([record(accountId), record(accountId)]);
    expect(await countRows(accountId)).toBe(3);
  });

  it('delays searches by at most its time limit while the table is locked, and writes later rows', async () => {
    const accountId = newId();
    await admin.query('begin; lock table gateway.audit_log in access exclusive mode');
    await limitStatements('1s');
    const held = await Promise.allSettled([record(accountId), record(accountId)]);
    await admin.query('rollback');
    // Nothing is blocked any longer, so the duration depends only on the speed of the machine.
    await limitStatements('60s');
    expect(held.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await record(accountId);
    expect(await countRows(accountId)).toBe(1);
  });

  it('is drained once all rows that were added are committed', async () => {
    const accountId = newId();
    const rows = Array.from({ length: 70 }, () => record(accountId));
    await queue.drain();
    expect(await countRows(accountId)).toBe(70);
    await Promise.all(rows);
  });
});
