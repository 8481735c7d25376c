import { newId } from '@steward/crypto';
import { APP_ROLES } from '@steward/database';
import { useSessions, type Key } from '../../testing/use-sessions.ts';
import type { UpsertRuntimeSessionInput } from '../../sessions/operations/upsert-runtime-session.ts';
import type { DeletionFilters } from '../deletion-job.ts';
import { claimJob, findJob } from '../store/deletion-job.store.ts';
import { requestDeletion } from './request-deletion.ts';
import { runDeletionBatch } from './run-deletion-batch.ts';

const sessions = useSessions();
const actor = { kind: 'api_key', id: newId() } as const;
const sweeper = () => sessions.connectAs(APP_ROLES.backfillSweeper).db;

async function request(accountId: string, filters: DeletionFilters, dryRun = false): Promise<string> {
  const outcome = await sessions.run((trx) => requestDeletion(trx, { accountId, filters, dryRun, actor }));
  if (outcome.kind !== 'queued') throw new Error(outcome.kind);
  return outcome.job.id;
}

/** Executes all waiting deletions, batch by batch. */
async function carryOut(): Promise<number> {
  const db = sweeper();
  for (let batches = 0; ; batches += 1) if ((await runDeletionBatch(db)).kind === 'idle') return batches;
}

const open = (accountId: string, fields: Partial<UpsertRuntimeSessionInput> = {}) =>
  sessions.openSession({ accountId, ...fields });
const hold = ({ sessionId }: Key) =>
  sessions.query('update gateway.runtime_session set legal_hold = true where id = $1', [sessionId]);
const listIds = async (accountId: string) => {
  const text = 'select id from gateway.runtime_session where account_id = $1 order by id';
  return (await sessions.query<{ id: string }>(text, [accountId])).map(({ id }) => id);
};
const listAudits = (accountId: string) =>
  sessions.query<{ resource_id: string; details: object; actor_kind: string; actor_id: string }>(
    'select resource_id, details, actor_kind, actor_id from gateway.audit_log where account_id = $1 order by resource_id',
    [accountId],
  );
const day = (number: number) => new Date(Date.UTC(2026, 2, number));

describe('the bulk deletion of sessions (SESS-24)', () => {
  it('deletes matching sessions, counts the retained ones by reason, and records each in the audit log', async () => {
    const accountId = newId();
    const agent = { runtimePrincipalId: 'bot' };
    const gone = [await open(accountId, agent), await open(accountId, agent)];
    const held = await open(accountId, agent);
    await hold(held);
    const running = await open(accountId, { ...agent, executionId: newId() });
    const other = await open(accountId, { runtimePrincipalId: 'other' });
    const foreign = await open(newId(), agent);
    const id = await request(accountId, agent);
    await carryOut();
    expect(await findJob(sessions.db(), accountId, id)).toMatchObject({
      ...{ matched: 4, deleted: 2, keptLegalHold: 1, keptExecutionActive: 1 },
      finishedAt: expect.any(Date) as Date,
    });
    expect(await listIds(accountId)).toEqual([held, running, other].map(({ sessionId }) => sessionId).sort());
    expect(await listIds(foreign.accountId)).toEqual([foreign.sessionId]);
    expect(await listAudits(accountId)).toEqual(
      gone
        .map(({ sessionId }) => sessionId)
        .sort()
        .map((resource_id) => ({
          ...{ resource_id, details: { deletion_id: id } },
          ...{ actor_kind: actor.kind, actor_id: actor.id },
        })),
    );
  });

  it('counts in a dry run as a deletion would', async () => {
    const accountId = newId();
    await open(accountId);
    await hold(await open(accountId));
    const before = await listIds(accountId);
    const id = await request(accountId, { active: true }, true);
    await carryOut();
    expect(await findJob(sessions.db(), accountId, id)).toMatchObject({
      ...{ dryRun: true, matched: 2, deleted: 0, keptLegalHold: 1, keptExecutionActive: 0 },
    });
    expect([await listIds(accountId), await listAudits(accountId)]).toEqual([before, []]);
  });

  it.each<[string, DeletionFilters, readonly number[]]>([
    ['open ones', { active: true }, [0, 1, 2, 3]],
    ['ended ones', { active: false }, [4]],
    ['a label', { label: 'repo:api' }, [1]],
    ['since, inclusive', { since: day(3) }, [2, 3, 4]],
    ['until, exclusive', { until: day(3) }, [0, 1]],
    ['several together', { since: day(2), until: day(4), active: true }, [1, 2]],
  ])('applies %s as their list does (SESS-7)', async (_what, filters, gone) => {
    const accountId = newId();
    const keys: Key[] = [];
    for (let at = 0; at < 5; at += 1)
      keys.push(await open(accountId, { startedAt: day(at + 1), ...(at === 1 ? { labels: ['repo:api'] } : {}) }));
    await sessions.end(keys[4]!);
    await request(accountId, filters);
    await carryOut();
    const left = keys.filter((_, at) => !gone.includes(at)).map(({ sessionId }) => sessionId);
    expect(await listIds(accountId)).toEqual(left.sort());
  });

  it('retains sessions stored after the request, regardless of their start time', async () => {
    const accountId = newId();
    await open(accountId, { startedAt: day(1) });
    await request(accountId, { until: day(9) });
    const later = await open(accountId, { startedAt: day(1), now: new Date(Date.now() + 60_000) });
    await carryOut();
    expect(await listIds(accountId)).toEqual([later.sessionId]);
  });

  it('continues batch by batch from its position, past retained sessions, and ends once', async () => {
    const accountId = newId();
    for (let count = 0; count < 55; count += 1) await hold(await open(accountId, { startedAt: day(9) }));
    for (let count = 0; count < 55; count += 1) await open(accountId, { startedAt: day(1) });
    const id = await request(accountId, { active: true });
    expect(await carryOut()).toBe(3);
    expect(await findJob(sessions.db(), accountId, id)).toMatchObject({ matched: 110, deleted: 55, keptLegalHold: 55 });
    expect(await listIds(accountId)).toHaveLength(55);
  });

  it('deletes its filters when it ends', async () => {
    const accountId = newId();
    const id = await request(accountId, { label: 'person:dana' });
    await carryOut();
    const text = 'select filters from gateway.session_deletion_job where id = $1';
    expect(await sessions.query(text, [id])).toEqual([{ filters: null }]);
  });
});

describe('several active bulk deletions', () => {
  it('take turns, including across accounts', async () => {
    const accounts = [newId(), newId()];
    for (const accountId of accounts) {
      for (let count = 0; count < 60; count += 1) await open(accountId);
      await request(accountId, { active: true });
    }
    const turns: string[] = [];
    const db = sweeper();
    for (let step = await runDeletionBatch(db); step.kind === 'advanced'; step = await runDeletionBatch(db))
      turns.push(step.accountId);
    expect(turns).toEqual([...accounts, ...accounts]);
  });

  it('are each processed by only one process', async () => {
    const [first, second] = [newId(), newId()];
    await request(first, { active: true });
    const other = await request(second, { active: true });
    await sweeper()
      .transaction()
      .execute(async (trx) => {
        expect(await claimJob(trx)).toMatchObject({ accountId: first });
        expect(await runDeletionBatch(sweeper())).toMatchObject({ jobId: other, isFinished: true });
        expect(await runDeletionBatch(sweeper())).toEqual({ kind: 'idle' });
      });
    await carryOut();
  });
});
