import { transact } from '@steward/database';
import { appendSessionContent, deleteRuntimeSession, upsertRuntimeSession } from '@steward/sessions';
import { beginTrace, newId } from '@steward/crypto';
import { eventually } from '@steward/testing';
import { INDEXED } from '../testing/use-sweeper.ts';
import { useSweeperProcesses } from '../testing/use-sweeper-processes.ts';

const sweeper = useSweeperProcesses();
const broker = { publishHint: () => undefined };
const OFF = { SESSION_SEARCH_BACKFILL_ENABLED: 'false' };

const count = async (table: string, condition = 'true'): Promise<number> => {
  const { rows } = await sweeper.admin.pool.query<{ rows: number }>(
    `select count(*)::int as rows from ${table} where ${condition}`,
  );
  return rows[0]?.rows ?? 0;
};

describe('a sweeper that is killed while it deletes the rows of a session (SESS-20)', () => {
  it('has deleted complete batches, and the next sweeper deletes the rest', async () => {
    const now = new Date();
    const accountId = newId();
    const sessionId = await transact(
      { db: sweeper.admin.db, broker, traceparent: beginTrace() },
      async (trx, hints) => {
        const source = { accountId, sessionSourceType: 't', sessionSourceId: newId(), now };
        const { session } = await upsertRuntimeSession(trx, hints, source, INDEXED);
        const entries = Array.from({ length: 1000 }, (_, index) => ({
          kind: 'transcript_message' as const,
          role: 'user',
          content: `message ${index}`,
        }));
        await appendSessionContent(trx, hints, { accountId, sessionId: session.id, entries, now }, INDEXED);
        expect(await deleteRuntimeSession(trx, { accountId, sessionId: session.id })).toEqual({ kind: 'deleted' });
        return session.id;
      },
    );
    // The test holds one row of the last batch, so that the process stops in the middle of it.
    const keeper = await sweeper.admin.pool.connect();
    await keeper.query('begin');
    const own = `runtime_session_id = '${sessionId}'`;
    await keeper.query(
      `select 1 from gateway.session_content where ${own} order by occurred_at desc, id desc limit 1 for update`,
    );
    const killed = await sweeper.start(OFF);
    await eventually(async () => (await count('gateway.session_content', own)) === 200);
    await eventually(
      async () =>
        (await count(
          'pg_stat_activity',
          `datname = current_database() and wait_event_type = 'Lock' and query like '%session_content%'`,
        )) > 0,
    );
    await killed.kill();
    await keeper.query('rollback');
    keeper.release();
    await sweeper.untilGone();
    expect([await count('gateway.session_content', own), await count('search.chunk', own)]).toEqual([200, 1000]);

    const next = await sweeper.start(OFF);
    await eventually(async () => (await count('gateway.session_deletion')) === 0);
    expect([await count('gateway.session_content', own), await count('search.chunk', own)]).toEqual([0, 0]);
    expect(await count('search.deleted_session')).toBe(0);
    // The look that found the session asks for all due work of a sweeper. If it failed, the purge would begin all the same.
    expect(next.readOutput()).not.toContain('background_task.failed');
  });
});
