import { beginTrace, newId } from '@steward/crypto';
import { sql } from 'kysely';
import { openWebhooks, type OpenWebhooks } from '../../testing/open-webhooks.ts';
import { deleteEndpoint } from '../../endpoints/operations/delete-endpoint.ts';
import { updateEndpoint } from '../../endpoints/operations/update-endpoint.ts';
import { purgeHistory } from './purge-history.ts';
import { findRecoveryJob } from '../store/recovery.store.ts';
import { requestRecovery } from './request-recovery.ts';
import { runRecoveryBatch } from './run-recovery-batch.ts';
import { readQueueGauges } from '../../deliveries/store/queue-gauges.store.ts';
import { replayEvent } from './replay-event.ts';

const HOUR_MS = 3_600_000;
const bound = { maxPendingPerAccount: 10_000 };
let suite: OpenWebhooks;

beforeAll(async () => {
  suite = await openWebhooks();
});
afterEach(() => sql`truncate webhooks.delivery, webhooks.recovery_job`.execute(suite.admin));
afterAll(() => suite.close());

interface Wish {
  readonly endpointId?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly dryRun?: boolean;
  readonly traceparent?: string;
}

async function recover(accountId: string, wish: Wish = {}) {
  const outcome = await suite.write((trx) =>
    requestRecovery(
      trx,
      {
        accountId,
        traceparent: wish.traceparent ?? beginTrace(),
        endpointId: wish.endpointId,
        since: wish.since ?? new Date(Date.now() - HOUR_MS),
        until: wish.until ?? new Date(Date.now() + HOUR_MS),
      },
      { dryRun: wish.dryRun ?? false },
    ),
  );
  if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
  return outcome;
}

/** Runs recoveries until no job is due; returns the number of queued deliveries. */
async function workOff(maxPendingPerAccount = 10_000): Promise<number> {
  let queued = 0;
  for (;;) {
    const step = await runRecoveryBatch(suite.dispatcher, { maxPendingPerAccount });
    if (step.kind === 'idle') return queued;
    if (step.kind === 'queued') queued += step.queued;
  }
}

/** Emits events to the account's endpoints and lets every delivery fail permanently. */
async function killDeliveries(accountId: string, events: number): Promise<void> {
  for (let index = 0; index < events; index += 1) await suite.emit(accountId);
  await suite.settleAll('dead');
}

describe('recovering dead deliveries', () => {
  it('queues each of them once as a new delivery and leaves the dead rows unchanged', async () => {
    const accountId = newId();
    await suite.addEndpoint(accountId);
    await suite.addEndpoint(accountId);
    await killDeliveries(accountId, 3);
    const { matched, queued, jobId } = await recover(accountId);
    expect([matched, queued]).toEqual([6, 6]);
    expect(await workOff()).toBe(6);
    expect(await suite.readPending(accountId)).toEqual({ counter: 6, rows: 6 });
    expect(await findRecoveryJob(suite.gateway, accountId, jobId!)).toMatchObject({
      matched: 6,
      queued: 6,
      finishedAt: expect.any(Date),
    });
    const { rows } = await sql<{ generation: number; status: string; n: number }>`
      select generation, status, count(*)::int as n from webhooks.delivery_done where account_id = ${accountId} group by 1, 2
      union all
      select generation, 'pending', count(*)::int from webhooks.delivery where account_id = ${accountId} group by 1
      order by 1
    `.execute(suite.admin);
    expect(rows).toEqual([
      { generation: 1, status: 'dead', n: 6 },
      { generation: 2, status: 'pending', n: 6 },
    ]);
  });

  it('excludes deliveries that were delivered, replayed or recovered before, or belong to another account (HOOK-36)', async () => {
    const [accountId, other] = [newId(), newId()];
    await suite.addEndpoint(accountId);
    await suite.addEndpoint(other);
    const replayed = newId();
    await suite.emit(accountId, replayed);
    await killDeliveries(accountId, 2);
    await killDeliveries(other, 1);
    await suite.emit(accountId);
    await suite.settleAll('delivered');
    await suite.write((trx, hints) => replayEvent(trx, hints, { accountId, eventId: replayed }, bound));
    expect(await recover(accountId, { dryRun: true })).toMatchObject({ matched: 2, queued: 0, jobId: undefined });
    await recover(accountId);
    await workOff();
    expect(await recover(accountId)).toMatchObject({ matched: 0, queued: 0, jobId: undefined });
    expect((await suite.readPending(other)).rows).toBe(0);
    // The recovered delivery has failed permanently too: its newest generation matches, the older one does not.
    await suite.settleAll('dead');
    expect((await recover(accountId, { dryRun: true })).matched).toBe(3);
  });

  it('counts and queues only the requested time range and endpoint', async () => {
    const accountId = newId();
    const endpointId = await suite.addEndpoint(accountId);
    await suite.addEndpoint(accountId);
    await killDeliveries(accountId, 2);
    const dryRun = true;
    expect((await recover(accountId, { endpointId, dryRun })).matched).toBe(2);
    expect((await recover(accountId, { since: new Date(Date.now() + 1000), dryRun })).matched).toBe(0);
    expect((await recover(accountId, { until: new Date(Date.now() - HOUR_MS / 2), dryRun })).matched).toBe(0);
    const unknown = { accountId, endpointId: newId(), since: new Date(0), until: new Date() };
    expect(
      await suite.write((trx) => requestRecovery(trx, { ...unknown, traceparent: beginTrace() }, { dryRun })),
    ).toEqual({ kind: 'not_found' });
    await recover(accountId, { endpointId });
    expect(await workOff()).toBe(2);
  });

  it('skips endpoints that are inactive or deleted', async () => {
    const accountId = newId();
    const [inactive, deleted] = [await suite.addEndpoint(accountId), await suite.addEndpoint(accountId)];
    await suite.addEndpoint(accountId);
    await killDeliveries(accountId, 1);
    await suite.write((trx, hints) =>
      updateEndpoint(trx, hints, { accountId, endpointId: inactive, patch: { active: false } }, suite.secretBox),
    );
    expect(await recover(accountId)).toMatchObject({ matched: 3, queued: 2 });
    await suite.write((trx) => deleteEndpoint(trx, { accountId, endpointId: deleted }));
    expect(await workOff()).toBe(1);
  });

  it('continues in batches over several workers at once, without queueing twice or losing any delivery', async () => {
    const accountId = newId();
    for (let index = 0; index < 4; index += 1) await suite.addEndpoint(accountId);
    await killDeliveries(accountId, 130);
    // The same range is recovered twice, for example because of a double click.
    const jobs = await Promise.all([recover(accountId), recover(accountId)]);
    expect(jobs.map((job) => job.matched)).toEqual([520, 520]);
    const queued = await Promise.all(Array.from({ length: 4 }, () => workOff()));
    expect(queued.reduce((sum, n) => sum + n, 0)).toBe(520);
    expect(await suite.readPending(accountId)).toEqual({ counter: 520, rows: 520 });
  });

  it('continues from its position after a worker was killed during a batch (HOOK-36)', async () => {
    const accountId = newId();
    for (let index = 0; index < 3; index += 1) await suite.addEndpoint(accountId);
    await killDeliveries(accountId, 100);
    const { jobId } = await recover(accountId);
    await runRecoveryBatch(suite.dispatcher, bound);
    const blocker = await suite.admin.startTransaction().execute();
    await sql`select from webhooks.outbox_shard where account_id = ${accountId} for update`.execute(blocker);
    const killed = runRecoveryBatch(suite.dispatcher, bound).then(
      () => 'finished',
      () => 'killed',
    );
    const kill = async (): Promise<number> => {
      const { rows } = await sql<{ n: number }>`
        select count(pg_terminate_backend(pid))::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%outbox_shard%'
      `.execute(suite.admin);
      return rows[0]!.n;
    };
    while ((await kill()) === 0);
    expect(await killed).toBe('killed');
    await blocker.rollback().execute();
    expect((await findRecoveryJob(suite.gateway, accountId, jobId!))?.queued).toBe(200);
    expect(await workOff()).toBe(100);
    expect(await suite.readPending(accountId)).toEqual({ counter: 300, rows: 300 });
  });

  it('leaves half of the outbox to current events and continues when there is space (HOOK-36)', async () => {
    const accountId = newId();
    await suite.addEndpoint(accountId);
    await killDeliveries(accountId, 12);
    const { jobId } = await recover(accountId);
    expect(await workOff(10)).toBe(5);
    expect((await findRecoveryJob(suite.gateway, accountId, jobId!))?.finishedAt).toBeNull();
    expect(await readQueueGauges(suite.dispatcher)).toMatchObject({ recoveriesRunning: 1, recoveryRemaining: 7 });
    expect((await suite.emit(accountId, newId(), { maxPendingPerAccount: 10 })).kind).toBe('emitted');
    await suite.settleAll('delivered');
    await sql`update webhooks.recovery_job set next_run_at = now()`.execute(suite.admin);
    expect(await workOff(10)).toBe(5);
    expect((await suite.readPending(accountId)).counter).toBe(5);
  });

  it('is retained as long as the history', async () => {
    const accountId = newId();
    await suite.addEndpoint(accountId);
    await killDeliveries(accountId, 1);
    const { jobId } = await recover(accountId);
    await workOff();
    await purgeHistory(suite.dispatcher, { retentionDays: 14 });
    expect(await findRecoveryJob(suite.gateway, accountId, jobId!)).toBeDefined();
    expect(await findRecoveryJob(suite.gateway, newId(), jobId!)).toBeUndefined();
    await sql`update webhooks.recovery_job set finished_at = now() - interval '15 days'`.execute(suite.admin);
    await purgeHistory(suite.dispatcher, { retentionDays: 14 });
    expect(await findRecoveryJob(suite.gateway, accountId, jobId!)).toBeUndefined();
  });
});
