import { sql } from 'kysely';
import { beginTrace, newId } from '@steward/crypto';
import { transact } from '@steward/database';
import { updateRuntimeSession, upsertRuntimeSession, type SessionWriteOptions } from '@steward/sessions';
import { eventually, useOpened } from '@steward/testing';
import { at, createBudget, INDEXED, openBackfill, UNINDEXED } from '../testing/open-backfill.ts';
import { remaskAccount } from './remask-account.ts';

const suite = useOpened(openBackfill);
const titles = async (accountId: string) =>
  (await suite().chunks(accountId)).filter((chunk) => chunk.source_kind === 'session_summary').map((it) => it.content);

interface Change {
  readonly accountId: string;
  readonly sessionId: string;
  readonly title: string;
  readonly options: SessionWriteOptions;
}

/**
 * Changes a title in a transaction that holds `lock` until `work` waits for it; until then `work` sees the old title.
 */
async function renameMeanwhile(change: Change, lock: string, work: () => Promise<unknown>): Promise<void> {
  const { admin, deps } = suite();
  const { options, ...named } = change;
  let working: Promise<unknown> | undefined;
  await transact({ db: admin.db, broker: deps.broker, traceparent: beginTrace() }, async (trx, hints) => {
    await sql.raw(lock).execute(trx);
    working = work();
    working.catch(() => undefined);
    await eventually(async () => {
      const blocked = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return ((await admin.pool.query(blocked)).rowCount ?? 0) > 0;
    });
    await updateRuntimeSession(trx, hints, { ...named, now: new Date() }, options);
  });
  await working;
}

/** Lock that delays the step between reading the sessions and checking which are in the corpus. */
const WHILE_READING = 'lock table search.chunk in access exclusive mode';
/** Returns the lock that delays the step between reading and writing. */
const beforeWriting = (sessionId: string) => `select from gateway.runtime_session where id = '${sessionId}' for update`;
/** Returns the lock that a process holds while it writes chunks of a title. */
const whileWriting = (sessionId: string, accountId: string) =>
  `select pg_advisory_xact_lock(hashtextextended('search.chunk:${accountId}:session_summary:${sessionId}', 0))`;

const MOMENTS = [
  ['before it is looked up in the corpus', () => WHILE_READING],
  ['before the batch is written', beforeWriting],
  ['while the batch is written', whileWriting],
] as const;

describe('a title that is changed while its session is indexed (CORP-15)', () => {
  it.each(MOMENTS)('keeps a change made %s', async (_when, lock) => {
    const accountId = newId();
    const [sessionId = ''] = await suite().store(accountId, [{ title: 'old name' }]);
    const change = { accountId, sessionId, title: 'new name', options: INDEXED };
    await renameMeanwhile(change, lock(sessionId, accountId), () => suite().walk(accountId));
    expect(await titles(accountId)).toEqual(['new name']);
  });

  it.each(MOMENTS)('is no longer found when it is removed %s', async (_when, lock) => {
    const accountId = newId();
    const [sessionId = ''] = await suite().store(accountId, [{ title: 'quoll' }]);
    const change = { accountId, sessionId, title: '', options: INDEXED };
    await renameMeanwhile(change, lock(sessionId, accountId), () => suite().walk(accountId));
    expect(await titles(accountId)).toEqual([]);
  });

  it('while indexing is off is indexed again', async () => {
    const accountId = newId();
    const [sessionId = ''] = await suite().store(accountId, [{ title: 'old name' }]);
    const change = { accountId, sessionId, title: 'new name', options: UNINDEXED };
    await renameMeanwhile(change, beforeWriting(sessionId), () => suite().walk(accountId));
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'in_progress' });
    expect(await suite().walk(accountId)).toBe('finished');
    expect(await titles(accountId)).toEqual(['new name']);
  });
});

describe('a title that is removed while the content of its session is masked again (MASK-10)', () => {
  it('is no longer found', async () => {
    const accountId = newId();
    const [sessionId = ''] = await suite().store(accountId, [{ title: 'quoll' }], INDEXED);
    await suite().admin.pool.query('update search.chunk set mask_version = 0 where account_id = $1', [accountId]);
    const request = {
      accountId,
      budget: createBudget(),
      traceparent: beginTrace(),
      signal: new AbortController().signal,
    };
    const change = { accountId, sessionId, title: '', options: INDEXED };
    await renameMeanwhile(change, whileWriting(sessionId, accountId), () => remaskAccount(suite().deps, request));
    expect(await titles(accountId)).toEqual([]);
  });
});

describe('a session whose start changes during the backfill of its account', () => {
  const now = new Date();
  async function move(accountId: string, sessionId: string, startedAt: Date): Promise<void> {
    const { admin, deps } = suite();
    const { rows } = await admin.pool.query<{ source: string }>(
      'select session_source_id as source from gateway.runtime_session where id = $1',
      [sessionId],
    );
    const opened = { accountId, sessionSourceType: 't', sessionSourceId: rows[0]?.source ?? '', startedAt };
    await transact({ db: admin.db, broker: deps.broker, traceparent: beginTrace() }, (trx, hints) =>
      upsertRuntimeSession(trx, hints, { ...opened, now: new Date() }, INDEXED),
    );
  }

  it('to a time that the backfill has already passed is still indexed (CORP-17)', async () => {
    const accountId = newId();
    const [oldest = ''] = await suite().store(accountId, [{ now }, { now }, { now }]);
    expect(await suite().walk(accountId, { budget: createBudget(1) })).toBe('account_rows');
    await move(accountId, oldest, at(20));
    expect(await suite().walk(accountId)).toBe('finished');
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'in_progress' });
    expect(await suite().walk(accountId)).toBe('finished');
    expect(await suite().chunks(accountId)).toHaveLength(3);
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'complete' });
  });

  it('to a time within the age limit is indexed (CORP-16)', async () => {
    const accountId = newId();
    const [oldest = ''] = await suite().store(accountId, [{ now }, { now }, { now }]);
    expect(await suite().walk(accountId, { horizon: at(2) })).toBe('finished');
    await move(accountId, oldest, at(20));
    expect(await suite().walk(accountId, { horizon: at(2) })).toBe('finished');
    expect(await suite().chunks(accountId)).toHaveLength(3);
  });

  it('does not change the coverage if everything that is not indexed was stored before the session', async () => {
    const accountId = newId();
    await suite().store(accountId, [{}]);
    await suite().walk(accountId);
    await suite().admin.pool.query(
      `update gateway.unindexed_content set last_stored_at = now() - interval '4 hours' where account_id = $1`,
      [accountId],
    );
    const [sessionId = ''] = await suite().store(accountId, [{ now }], INDEXED);
    await move(accountId, sessionId, at(20));
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'complete' });
  });

  it('to the same or an earlier time does not change the coverage', async () => {
    const accountId = newId();
    const [, newest = ''] = await suite().store(accountId, [{ now }, { now }]);
    await suite().walk(accountId);
    for (const start of [at(2), at(1)]) await move(accountId, newest, start);
    expect(await suite().coverage(accountId)).toMatchObject({ backfillState: 'complete' });
  });
});
