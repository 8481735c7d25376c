import { newId } from '@steward/crypto';
import { APP_ROLES, type AnyTransaction } from '@steward/database';
import { useSessions } from '../../testing/use-sessions.ts';
import type { DeletionFilters } from '../deletion-job.ts';
import { deleteOldJobs, findJob } from '../store/deletion-job.store.ts';
import { MOST_DELETIONS, requestDeletion } from './request-deletion.ts';

const sessions = useSessions();
const actor = { kind: 'user', id: newId() } as const;
const requestIn = (trx: AnyTransaction, accountId: string, filters: DeletionFilters = { active: true }) =>
  requestDeletion(trx, { accountId, filters, dryRun: false, actor });
const request = (accountId: string, filters?: DeletionFilters) =>
  sessions.run((trx) => requestIn(trx, accountId, filters));
const finish = (accountId: string, days = 0) =>
  sessions.query(
    `update gateway.session_deletion_job set filters = null, finished_at = now() - make_interval(days => $2::int) - interval '1 second'
     where account_id = $1`,
    [accountId, days],
  );

describe('active bulk deletions of an account (LIM-42)', () => {
  it('are at most twenty, and another is allowed once one finishes; each account has its own limit', async () => {
    const accountId = newId();
    for (let count = 0; count < MOST_DELETIONS; count += 1) expect((await request(accountId)).kind).toBe('queued');
    expect(await request(accountId)).toEqual({ kind: 'too_many', limit: 20 });
    expect((await request(newId())).kind).toBe('queued');
    await finish(accountId);
    expect((await request(accountId)).kind).toBe('queued');
  });

  it('are at most twenty under concurrent requests for the last one', async () => {
    const accountId = newId();
    for (let count = 1; count < MOST_DELETIONS; count += 1) await request(accountId);
    const [first, second] = await sessions.overlap(
      (trx) => requestIn(trx, accountId),
      () => request(accountId),
    );
    expect([first.kind, second.kind]).toEqual(['queued', 'too_many']);
  });

  it('do not count if their transaction failed', async () => {
    const accountId = newId();
    for (let count = 1; count < MOST_DELETIONS; count += 1) await request(accountId);
    const failing = sessions.run(async (trx) => {
      await requestIn(trx, accountId);
      throw new Error('fault before the answer');
    });
    await expect(failing).rejects.toThrow('fault before the answer');
    expect((await request(accountId)).kind).toBe('queued');
    expect((await request(accountId)).kind).toBe('too_many');
  });
});

describe('the state of a deletion (SESS-24)', () => {
  it('includes the counts as soon as the deletion is requested, and is visible only to its own account (API-10)', async () => {
    const accountId = newId();
    const outcome = await request(accountId);
    if (outcome.kind !== 'queued') throw new Error(outcome.kind);
    const { job } = outcome;
    expect(job).toMatchObject({ accountId, dryRun: false, matched: 0, deleted: 0, keptLegalHold: 0, finishedAt: null });
    expect(await findJob(sessions.db(), accountId, job.id)).toEqual(job);
    expect(await findJob(sessions.db(), newId(), job.id)).toBeUndefined();
  });

  it('is retained for some days after its end, and indefinitely while active', async () => {
    const [over, recent, running] = [newId(), newId(), newId()];
    const ids = new Map<string, string>();
    for (const accountId of [over, recent, running]) {
      const outcome = await request(accountId);
      if (outcome.kind === 'queued') ids.set(accountId, outcome.job.id);
    }
    await finish(over, 30);
    await finish(recent, 29);
    await sessions.query(`update gateway.session_deletion_job set created_at = now() - interval '90 days'`);
    await deleteOldJobs(sessions.connectAs(APP_ROLES.backfillSweeper).db);
    const isKnown = async (accountId: string) =>
      (await findJob(sessions.db(), accountId, ids.get(accountId) ?? '')) !== undefined;
    expect([await isKnown(over), await isKnown(recent), await isKnown(running)]).toEqual([false, true, true]);
  });

  it('accepts the id of an agent in its stored form (API-7)', async () => {
    const accountId = newId();
    await request(accountId, { runtimePrincipalId: 'bot\u0000' });
    const rows = await sessions.query('select filters from gateway.session_deletion_job where account_id = $1', [
      accountId,
    ]);
    expect(rows).toEqual([{ filters: { runtimePrincipalId: 'bot\uFFFD' } }]);
  });
});
