import { sql } from 'kysely';
import { beginTrace, newId } from '@steward/crypto';
import { transact } from '@steward/database';
import { readCoverage } from '@steward/backfill';
import { upsertRuntimeSession } from '@steward/sessions';
import { UNINDEXED, useSweeper } from '../testing/use-sweeper.ts';
import { createBackoff } from './backoff.ts';
import { sweepPass, type SweepOptions } from './sweep-pass.ts';

const LIMITS: SweepOptions = {
  maxRowsPerPass: 1000,
  maxRowsPerAccount: 500,
  maxSeconds: 60,
  intervalSeconds: 0,
  maxAgeDays: 0,
};

describe('a pass over history', () => {
  const tests = useSweeper();
  /** Creates an account whose sessions were stored while indexing was off. */
  const storeHistory = (sessions: number): Promise<string> =>
    tests.storeSessions(sessions, UNINDEXED, (index) => ({ toolCall: { arguments: { pattern: `old${index}` } } }));
  const pass = (
    options: Partial<SweepOptions> = {},
    signal = new AbortController().signal,
    backoff = createBackoff(),
  ) => sweepPass(tests.deps, { ...LIMITS, ...options }, { backoff, signal });
  const countChunks = async (accountId: string): Promise<number> =>
    (
      await sql<{ count: number }>`select count(*) as count from search.chunk where account_id = ${accountId}`.execute(
        tests.admin.db,
      )
    ).rows[0]?.count ?? 0;

  it('indexes content that was stored while indexing was off, with the sweeper’s own database role, and reports completion', async () => {
    const accountId = await storeHistory(5);
    expect(await readCoverage(tests.admin.db, accountId)).toMatchObject({
      backfillState: 'not_started',
      indexedFrom: null,
    });
    const summary = await pass();
    expect([summary.rows, summary.failed]).toEqual([5, 0]);
    expect(await countChunks(accountId)).toBe(5);
    const coverage = await readCoverage(tests.admin.db, accountId);
    expect(coverage).toMatchObject({ backfillState: 'complete', backfillComplete: true });
    expect(coverage.indexedFrom?.toISOString()).toBe('2026-10-01T00:00:00.000Z');
    expect((await pass()).rows).toBe(0);
  });

  it('stops at the account’s limit and resumes from its watermark, without writing anything twice', async () => {
    const accountId = await storeHistory(7);
    const written: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      written.push((await pass({ maxRowsPerAccount: 3 })).rows);
      const { backfillState } = await readCoverage(tests.admin.db, accountId);
      expect(backfillState).toBe(round < 2 ? 'in_progress' : 'complete');
    }
    expect(written).toEqual([3, 3, 1, 0, 0]);
    expect(await countChunks(accountId)).toBe(7);
  });

  it('starts with the newest sessions: indexed_from moves backwards', async () => {
    const accountId = await storeHistory(4);
    const seen: (string | undefined)[] = [];
    for (let round = 0; round < 3; round += 1) {
      await pass({ maxRowsPerAccount: 2 });
      seen.push((await readCoverage(tests.admin.db, accountId)).indexedFrom?.toISOString().slice(0, 10));
    }
    expect(seen).toEqual(['2026-10-03', '2026-10-01', '2026-10-01']);
  });

  it('deletes the remaining rows of deleted accounts; one that fails does not delay the others (CORP-20)', async () => {
    const [stuck, gone] = [await storeHistory(1), await storeHistory(1)];
    await pass();
    for (const table of ['session_content', 'runtime_session', 'unindexed_content', 'user_account'])
      await tests.admin.pool.query(`delete from gateway.${table} where account_id in ($1, $2)`, [stuck, gone]);
    await tests.admin.pool.query('delete from gateway.account where id in ($1, $2)', [stuck, gone]);
    await tests.admin.pool.query(
      `create function refuse_deletion() returns trigger language plpgsql as $$ begin raise exception 'stuck'; end $$`,
    );
    await tests.admin.pool.query(
      `create trigger refuse before delete on search.chunk for each row when (old.account_id = '${stuck}')
         execute function refuse_deletion()`,
    );
    const countWatermarks = async (): Promise<string[]> =>
      (
        await tests.admin.pool.query<{ account_id: string }>(
          'select account_id from backfill.watermark where account_id in ($1, $2)',
          [stuck, gone],
        )
      ).rows.map(({ account_id }) => account_id);
    await pass();
    expect([await countChunks(stuck), await countChunks(gone), await countWatermarks()]).toEqual([1, 0, [stuck]]);
    await tests.admin.pool.query('drop trigger refuse on search.chunk; drop function refuse_deletion()');
    await pass();
    expect([await countChunks(stuck), await countWatermarks()]).toEqual([0, []]);
  });

  it('does not exceed its total limit over all accounts, and the next pass begins where this one stopped', async () => {
    const accounts = [await storeHistory(3), await storeHistory(3)];
    const first = await pass({ maxRowsPerPass: 3 });
    expect(first.rows).toBe(3);
    expect(first.nextAccountId).toBeDefined();
    await pass();
    for (const accountId of accounts) expect(await countChunks(accountId)).toBe(3);
  });

  it('serves every account once before it serves any account a second time, in any process (CORP-14)', async () => {
    const accounts = [await storeHistory(4), await storeHistory(4), await storeHistory(4)];
    const turns: number[][] = [];
    // Each pass starts without the state of the previous one, as after a restart.
    for (let round = 0; round < 6; round += 1) {
      await pass({ maxRowsPerPass: 2, maxRowsPerAccount: 2 });
      turns.push(await Promise.all(accounts.map(countChunks)));
    }
    expect(turns).toEqual([
      [2, 0, 0],
      [2, 2, 0],
      [2, 2, 2],
      [4, 2, 2],
      [4, 4, 2],
      [4, 4, 4],
    ]);
  });

  it('first serves accounts that the previous pass could not serve with its remaining rows (CORP-14)', async () => {
    const small = await storeHistory(20);
    const large = await tests.storeSessions(1, UNINDEXED, () => ({
      toolCall: { arguments: { command: 'read' }, result: 'line '.repeat(600) },
    }));
    const limits = { maxRowsPerPass: 6, maxRowsPerAccount: 5 };
    expect((await pass(limits)).rows).toBe(5);
    expect([await countChunks(small), await countChunks(large)]).toEqual([5, 0]);
    await pass(limits);
    expect(await countChunks(large)).toBeGreaterThan(1);
    await pass();
  });

  it('skips accounts that were served within the interval, in any process (CORP-18)', async () => {
    const accountId = await storeHistory(4);
    const limits = { maxRowsPerAccount: 2, intervalSeconds: 900 };
    expect([(await pass(limits)).rows, (await pass(limits)).rows]).toEqual([2, 0]);
    await sql`update backfill.watermark set last_pass_at = last_pass_at - interval '900 seconds'`.execute(
      tests.admin.db,
    );
    expect((await pass(limits)).rows).toBe(2);
    expect(await countChunks(accountId)).toBe(4);
  });

  it('skips a failing account, and resumes once it can be indexed (CORP-18)', async () => {
    const accounts = [await storeHistory(4), await storeHistory(4)];
    const backoff = createBackoff();
    const round = () => pass({ maxRowsPerAccount: 1 }, undefined, backoff);
    await sql`create function search.refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`.execute(
      tests.admin.db,
    );
    await sql`create trigger refuse before insert on search.chunk for each row
      when (new.account_id = ${sql.lit(accounts[0])}) execute function search.refuse()`.execute(tests.admin.db);
    const failed = [];
    for (let pass = 0; pass < 4; pass += 1) failed.push((await round()).failed);
    expect(failed).toEqual([1, 0, 1, 0]);
    expect(await Promise.all(accounts.map(countChunks))).toEqual([0, 4]);
    await sql`drop trigger refuse on search.chunk`.execute(tests.admin.db);
    await sql`drop function search.refuse`.execute(tests.admin.db);
    for (let pass = 0; pass < 5; pass += 1) await round();
    expect(await Promise.all(accounts.map(countChunks))).toEqual([4, 4]);
  });

  it('skips sessions older than the age limit', async () => {
    const accountId = await storeHistory(2);
    const maxAgeDays = Math.ceil((Date.now() - Date.parse('2026-10-02')) / 86_400_000) + 30;
    await sql`update gateway.runtime_session set started_at = now() - make_interval(days => ${maxAgeDays + 100})
      where account_id = ${accountId} and started_at = '2026-10-01'`.execute(tests.admin.db);
    await pass({ maxAgeDays });
    expect(await countChunks(accountId)).toBe(1);
    const { indexedFrom, backfillState } = await readCoverage(tests.admin.db, accountId);
    expect([backfillState, indexedFrom?.toISOString()]).toEqual(['complete', '2026-10-02T00:00:00.000Z']);
  });

  it('reports and closes a gap in a complete corpus when something is stored without being indexed', async () => {
    const accountId = await storeHistory(2);
    await pass();
    expect(await readCoverage(tests.admin.db, accountId)).toMatchObject({ backfillState: 'complete' });
    const now = new Date();
    await transact({ db: tests.admin.db, broker: tests.deps.broker, traceparent: beginTrace() }, async (trx, hints) => {
      const opened = { accountId, sessionSourceType: 't', sessionSourceId: newId(), title: 'unindexed walrus', now };
      await upsertRuntimeSession(trx, hints, { ...opened, startedAt: now }, UNINDEXED);
    });
    expect(await readCoverage(tests.admin.db, accountId)).toMatchObject({
      backfillState: 'in_progress',
      indexedFrom: now,
    });
    expect((await pass()).rows).toBe(1);
    expect(await readCoverage(tests.admin.db, accountId)).toMatchObject({ backfillState: 'complete' });
  });

  it('writes each chunk only once if several sweepers run at once', async () => {
    const accountId = await storeHistory(6);
    await Promise.all([pass(), pass(), pass()]);
    await pass();
    expect(await countChunks(accountId)).toBe(6);
  });

  it('writes nothing after the process begins to shut down, and the next pass resumes', async () => {
    const accountId = await storeHistory(2);
    const stopped = await pass({}, AbortSignal.abort());
    expect([stopped.rows, stopped.nextAccountId === undefined]).toEqual([0, false]);
    expect(await countChunks(accountId)).toBe(0);
    await pass();
    expect(await countChunks(accountId)).toBe(2);
  });

  it('logs content that cannot be split into chunks, and is otherwise complete (CORP-19)', async () => {
    const accountId = await storeHistory(3);
    await sql`update gateway.session_content set kind = 'flow_log', content = '42' where id =
      (select id from gateway.session_content where account_id = ${accountId} order by id limit 1)`.execute(
      tests.admin.db,
    );
    const lines: [string, Record<string, unknown>][] = [];
    const note = (event: string, fields: Record<string, unknown>): void => void lines.push([event, fields]);
    const logger = { ...tests.deps.logger, warn: note, info: note } as typeof tests.deps.logger;
    const signal = new AbortController().signal;
    const summary = await sweepPass({ ...tests.deps, logger }, LIMITS, { backoff: createBackoff(), signal });
    expect([summary.rows, summary.failed]).toEqual([2, 0]);
    expect(lines.map(([event]) => event)).toEqual(['sweep.source_failed', 'sweep.pass_finished']);
    expect(lines[0]?.[1]).toMatchObject({ account_id: accountId, error: expect.any(Error) as Error });
  });
});
