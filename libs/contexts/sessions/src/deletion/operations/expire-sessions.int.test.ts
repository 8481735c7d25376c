import { sql } from 'kysely';
import { newId } from '@steward/crypto';
import { APP_ROLES, transact } from '@steward/database';
import { message, useSessions } from '../../testing/use-sessions.ts';
import { expireSessions } from './expire-sessions.ts';
import { MOST_WAITING, runDeletionBatch } from './run-deletion-batch.ts';
import { requestDeletion } from './request-deletion.ts';

const sessions = useSessions();
const sweeper = () => sessions.connectAs(APP_ROLES.backfillSweeper).db;
const BEFORE = new Date('2026-06-01T00:00:00Z');
const [early, late] = [new Date('2026-05-01T00:00:00Z'), new Date('2026-07-01T00:00:00Z')];
const expire = (accountId: string) =>
  expireSessions(sweeper(), { accountId, before: BEFORE, signal: new AbortController().signal });
const listIds = async (accountId: string) =>
  (
    await sessions.query<{ id: string }>('select id from gateway.runtime_session where account_id = $1 order by id', [
      accountId,
    ])
  ).map(({ id }) => id);

describe('the retention age of sessions (SESS-25)', () => {
  it('counts from the last activity: old but active sessions and sessions under legal hold are retained', async () => {
    const accountId = newId();
    const open = (startedAt: Date) => sessions.openSession({ accountId, startedAt, now: startedAt });
    await open(early);
    const going = await open(early);
    await sessions.append(going, [message('still at it', null, late)], undefined, late);
    const held = await open(early);
    await sessions.query('update gateway.runtime_session set legal_hold = true where id = $1', [held.sessionId]);
    const young = await open(late);
    expect(await expire(accountId)).toEqual({
      deleted: 1,
      keptLegalHold: 1,
      keptExecutionActive: 0,
      isFinished: true,
    });
    expect(await listIds(accountId)).toEqual([going.sessionId, held.sessionId, young.sessionId].sort());
    const audits = await sessions.query<object>(
      'select actor_kind, actor_id, source, action, details from gateway.audit_log where account_id = $1',
      [accountId],
    );
    expect(audits).toEqual([
      { actor_kind: 'system', actor_id: null, source: 'system', action: 'delete', details: { reason: 'retention' } },
    ]);
  });

  it('is checked again on deletion: a session that has become active meanwhile is retained', async () => {
    const accountId = newId();
    const waking = await sessions.openSession({ accountId, startedAt: early, now: early });
    const [, expired] = await sessions.overlap(
      async (trx) => {
        await sql`
          update gateway.runtime_session set last_activity_at = ${late} where id = ${waking.sessionId}
        `.execute(trx);
      },
      () => expire(accountId),
    );
    expect(expired.deleted).toBe(0);
    expect(await listIds(accountId)).toEqual([waking.sessionId]);
  });

  it('applies beyond one batch and continues past retained sessions', async () => {
    const accountId = newId();
    for (let index = 0; index < 120; index += 1)
      await sessions.openSession({ accountId, startedAt: early, now: early });
    await sessions.query(
      `update gateway.runtime_session set legal_hold = true
       where id in (select id from gateway.runtime_session where account_id = $1 order by started_at, id limit 60)`,
      [accountId],
    );
    expect(await expire(accountId)).toMatchObject({ deleted: 60, keptLegalHold: 60, isFinished: true });
  });
});

describe('sessions that are being deleted', () => {
  it('are limited to the number that searches can exclude: further deletions wait for their rows (LIM-43)', async () => {
    const accountId = newId();
    const old = await sessions.openSession({ accountId, startedAt: early, now: early });
    const waiting = `insert into gateway.session_deletion (account_id, runtime_session_id)
      select $1, gen_random_uuid() from generate_series(1, $2::int)`;
    await sessions.query(waiting, [accountId, MOST_WAITING]);
    expect(await expire(accountId)).toMatchObject({ deleted: 0, isFinished: false });
    await transact({ db: sessions.db() }, (trx) =>
      requestDeletion(trx, { accountId, filters: { until: late }, dryRun: false, actor: { kind: 'user', id: 'u' } }),
    );
    expect(await runDeletionBatch(sweeper())).toMatchObject({ kind: 'postponed' });
    await sessions.query('delete from gateway.session_deletion where account_id = $1', [accountId]);
    expect(await runDeletionBatch(sweeper())).toMatchObject({ kind: 'advanced', isFinished: true });
    expect(await listIds(accountId)).not.toContain(old.sessionId);
  });
});
