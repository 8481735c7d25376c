import { eventually } from '@steward/testing';
import { INDEXED, useSweeper } from '../testing/use-sweeper.ts';
import { purgeDeleted } from './purge-deleted.ts';
import { retain } from './retain.ts';
import { runDeletions } from './run-deletions.ts';

const sweeper = useSweeper();
const { signal } = new AbortController();
const pass = (days: number) => retain(sweeper.deps, { days, pauseMs: 5 }, signal);

/** Creates an account with sessions whose last activity was this number of days ago. */
async function storeAged(...days: readonly number[]): Promise<string> {
  const accountId = await sweeper.storeSessions(days.length, INDEXED, () => ({ toolCall: { arguments: { a: 'b' } } }));
  const { rows } = await query<{ id: string }>('select id from gateway.runtime_session where account_id = $1', [
    accountId,
  ]);
  for (const [index, { id }] of rows.entries())
    await query(
      `update gateway.runtime_session set started_at = now() - interval '90 days',
         last_activity_at = now() - make_interval(days => $2::int) where id = $1`,
      [id, days[index]],
    );
  return accountId;
}
const query = async <Row extends object>(text: string, values: readonly unknown[] = []) =>
  sweeper.admin.pool.query<Row>(text, [...values]);
/** Queues the rows of many other sessions for deletion before those of the account. */
const holdBack = (accountId: string) =>
  query(
    `insert into gateway.session_deletion (account_id, runtime_session_id)
     select $1, gen_random_uuid() from generate_series(1, 500)`,
    [accountId],
  );
const count = async (table: string, accountId: string): Promise<number> =>
  (await query<{ rows: number }>(`select count(*)::int as rows from ${table} where account_id = $1`, [accountId]))
    .rows[0]?.rows ?? NaN;

describe('SESSION_RETENTION_DAYS (SESS-25)', () => {
  it('deletes older sessions in every account, with their rows; 0 disables this', async () => {
    const accounts = [await storeAged(40, 20), await storeAged(31)];
    expect(await pass(0)).toMatchObject({ deleted: 0 });
    expect(await pass(30)).toEqual({ deleted: 2, keptLegalHold: 0, keptExecutionActive: 0 });
    expect(await purgeDeleted(sweeper.deps, signal)).toBeGreaterThan(0);
    for (const [index, accountId] of accounts.entries())
      for (const table of ['gateway.runtime_session', 'gateway.session_content'])
        expect([table, await count(table, accountId)]).toEqual([table, 1 - index]);
    expect(await pass(30)).toMatchObject({ deleted: 0 });
  });

  it('continues with other sessions while some still have rows to delete, however many there are', async () => {
    const accountId = await storeAged(40);
    await holdBack(accountId);
    const passed = pass(30);
    await query('delete from gateway.session_deletion where account_id = $1', [accountId]);
    expect(await passed).toMatchObject({ deleted: 1 });
    expect(await count('gateway.runtime_session', accountId)).toBe(0);
  });

  it('serves every account repeatedly even if one account’s rows cannot be deleted', async () => {
    const stuck = await storeAged(40);
    await holdBack(stuck);
    const stopped = new AbortController();
    const retained = retain(sweeper.deps, { days: 30, pauseMs: 1 }, stopped.signal);
    await eventually(async () => (await count('gateway.session_deletion', stuck)) === 500);
    const later = await storeAged(40);
    await eventually(async () => (await count('gateway.runtime_session', later)) === 0);
    stopped.abort();
    await retained;
    expect(await count('gateway.runtime_session', stuck)).toBe(1);
  });
});

describe('bulk deletions of sessions (SESS-24)', () => {
  it('have their records deleted a month after they finish', async () => {
    const insert = `insert into gateway.session_deletion_job (account_id, id, dry_run, actor_kind, finished_at)
      values (gen_random_uuid(), gen_random_uuid(), true, 'user', now() - make_interval(days => $1::int))`;
    for (const days of [31, 29]) await query(insert, [days]);
    await runDeletions(sweeper.deps.db, signal);
    expect((await query('select 1 from gateway.session_deletion_job')).rowCount).toBe(1);
  });
});
