import { EVENT_TYPES, type EventData } from '@steward/contracts';
import { APP_ROLES, createDatabase, transact, type Database } from '@steward/database';
import { createLogger, createSecretBox, newId } from '@steward/runtime';
import { createTestDatabase, type TestDatabase } from '@steward/testing';
import { sql } from 'kysely';
import type { ClaimedDelivery } from '../store/claim.store.ts';
import type { AttemptVerdict, DeliveryOutcome } from '../store/settle.store.ts';
import { claimDeliveries, claimProbes, releaseClaims } from './claim-deliveries.ts';
import { emitEvent } from './emit-event.ts';
import { createEndpoint } from './manage-endpoints.ts';
import { purgeHistory } from './purge-history.ts';
import { listDeliveries, readDelivery } from './read-deliveries.ts';
import { readQueueGauges } from './read-queue-gauges.ts';
import { settleAttempts } from './settle-attempts.ts';

let testDatabase: TestDatabase;
let gateway: Database;
let dispatcher: Database;
let admin: Database;
const broker = { publishHint: () => undefined };
const secretBox = createSecretBox('a-secret-key-for-tests-only-0123456789', 'webhook-endpoint');
const logger = createLogger({ service: 'test', level: 'error', pretty: false });
const data = EVENT_TYPES['session.ended'].example as unknown as EventData<'session.ended'>;
const rules = { failureThreshold: 10, cooldownSeconds: 900 };

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const open = (url: string) => createDatabase({ url, applicationName: 'test', poolSize: 12, logger });
  gateway = open(testDatabase.urlForRole(APP_ROLES.apiGateway));
  dispatcher = open(testDatabase.urlForRole(APP_ROLES.webhookDispatcher));
  admin = open(testDatabase.url);
});
beforeEach(async () => {
  await sql`truncate webhooks.delivery, webhooks.endpoint, webhooks.endpoint_secret, webhooks.event, webhooks.outbox_counter, webhooks.outbox_shard, webhooks.delivery_done, webhooks.attempt`.execute(
    admin.db,
  );
});
afterAll(async () => {
  await Promise.all([gateway.close(), dispatcher.close(), admin.close()]);
  await testDatabase.drop();
});

async function addEndpoint(accountId: string): Promise<string> {
  const input = { accountId, url: 'http://127.0.0.1:1/', description: '', eventTypes: [] };
  const outcome = await transact({ db: gateway.db, broker }, (trx) => createEndpoint(trx, input, secretBox));
  if (outcome.kind !== 'created') throw new Error(outcome.kind);
  return outcome.endpoint.id;
}

function emit(accountId: string, id = newId()) {
  const event = { type: 'session.ended' as const, id, accountId, occurredAt: new Date(), data };
  return transact({ db: gateway.db, broker }, (trx, hints) =>
    emitEvent(trx, hints, event, { maxPendingPerAccount: 10_000 }),
  );
}

function claim(options: Partial<Parameters<typeof claimDeliveries>[1]> = {}): Promise<ClaimedDelivery[]> {
  return claimDeliveries(dispatcher.db, {
    token: newId(),
    leaseSeconds: 30,
    limit: 50,
    defaultAllowance: 50,
    allowances: new Map(),
    ...options,
  });
}

function conclude(claimed: ClaimedDelivery, verdict: AttemptVerdict, retryDelayMs = 60_000): DeliveryOutcome {
  const succeeded = verdict === 'delivered';
  return {
    ...claimed,
    deliveryId: claimed.id,
    verdict,
    retryDelayMs: verdict === 'failed' ? retryDelayMs : undefined,
    attempt: {
      number: claimed.attemptCount + 1,
      startedAt: new Date(),
      durationMs: 5,
      dnsMs: null,
      connectMs: 1,
      tlsMs: null,
      firstByteMs: 5,
      responseStatus: succeeded ? 200 : 500,
      error: succeeded ? null : 'HTTP 500',
      errorClass: succeeded ? null : 'http_status',
      remoteAddress: '127.0.0.1',
    },
  };
}

async function readPending(accountId: string): Promise<number> {
  const { rows } = await sql<{
    pending: number;
  }>`select coalesce(sum(pending), 0)::int as pending from webhooks.outbox_shard where account_id = ${accountId}`.execute(
    admin.db,
  );
  return rows[0]?.pending ?? -1;
}

describe('claiming', () => {
  it('never gives one delivery to two workers', async () => {
    const accountId = newId();
    for (let index = 0; index < 5; index += 1) await addEndpoint(accountId);
    for (let index = 0; index < 40; index += 1) await emit(accountId);
    const claims = (
      await Promise.all(Array.from({ length: 10 }, () => claim({ limit: 30, defaultAllowance: 6 })))
    ).flat();
    expect(new Set(claims.map((claimed) => claimed.id)).size).toBe(claims.length);
    expect(claims.length).toBeGreaterThan(30);
  });

  it('gives one endpoint at most its allowance, so that others get their share', async () => {
    const [busy, quiet] = [newId(), newId()];
    const busyEndpoint = await addEndpoint(busy);
    const quietEndpoint = await addEndpoint(quiet);
    for (let index = 0; index < 30; index += 1) await emit(busy);
    await emit(quiet);
    const claims = await claim({ limit: 10, defaultAllowance: 3 });
    expect(claims.filter((claimed) => claimed.endpointId === busyEndpoint)).toHaveLength(3);
    expect(claims.filter((claimed) => claimed.endpointId === quietEndpoint)).toHaveLength(1);
    expect(await claim({ allowances: new Map([[busyEndpoint, 0]]) })).toEqual([]);
  });

  it('hands the body over as the bytes that were stored, with the secrets that sign', async () => {
    const accountId = newId();
    const endpointId = await addEndpoint(accountId);
    await emit(accountId);
    const [claimed] = await claim();
    expect(JSON.parse(String(claimed?.body))).toMatchObject({ account_id: accountId, data });
    expect(claimed?.sealedSecrets.map((sealed) => secretBox.open(sealed, endpointId))).toEqual([
      expect.stringMatching(/^whsec_/),
    ]);
  });
});

describe('settling', () => {
  it('changes nothing for a worker that lost its lease', async () => {
    const accountId = newId();
    const endpointId = await addEndpoint(accountId);
    await emit(accountId);
    const [stale] = await claim({ leaseSeconds: 0 });
    const [current] = await claim();
    expect(current?.id).toBe(stale?.id);
    const late = await settleAttempts(dispatcher.db, [conclude(stale!, 'dead')], rules);
    expect([late.settledIds.size, late.lost.length, late.breakerMoves.length]).toEqual([0, 1, 0]);
    expect(await readPending(accountId)).toBe(1);
    expect(await releaseClaims(dispatcher.db, [stale!])).toBe(0);
    expect((await readDelivery(gateway.db, accountId, current!.id))?.attempts).toEqual([]);

    const written = await settleAttempts(dispatcher.db, [conclude(current!, 'delivered')], rules);
    expect(written.settledIds.has(current!.id)).toBe(true);
    const again = await settleAttempts(dispatcher.db, [conclude(stale!, 'failed')], rules);
    expect(again.lost).toHaveLength(1);
    expect(await readPending(accountId)).toBe(0);
    const { rows } = await sql<{
      consecutive_failures: number;
    }>`select consecutive_failures from webhooks.endpoint where id = ${endpointId}`.execute(admin.db);
    expect(rows[0]?.consecutive_failures).toBe(0);
  });

  it('tells a lost claim from the one that followed it when both end in one batch', async () => {
    const accountId = newId();
    const endpointId = await addEndpoint(accountId);
    await emit(accountId);
    const [stale] = await claim({ leaseSeconds: 0 });
    const [current] = await claim();
    const written = await settleAttempts(dispatcher.db, [conclude(stale!, 'failed'), conclude(current!, 'delivered')], {
      ...rules,
      failureThreshold: 1,
    });
    expect([written.settledIds.size, written.lost.length, written.breakerMoves]).toEqual([1, 1, []]);
    expect((await readDelivery(gateway.db, accountId, current!.id))?.attempts).toMatchObject([{ responseStatus: 200 }]);
    const { rows } = await sql`select circuit_state from webhooks.endpoint where id = ${endpointId}`.execute(admin.db);
    expect(rows).toEqual([{ circuit_state: 'closed' }]);
  });

  it('keeps the counter exact while workers settle and producers emit at the same time', async () => {
    const accountId = newId();
    for (let index = 0; index < 4; index += 1) await addEndpoint(accountId);
    const produce = async () => {
      for (let index = 0; index < 15; index += 1) await emit(accountId);
    };
    const verdicts: readonly AttemptVerdict[] = ['delivered', 'failed', 'dead'];
    const work = async () => {
      for (let round = 0; round < 15; round += 1) {
        const claims = await claim({ limit: 20 });
        const outcomes = claims.map((claimed, index) => conclude(claimed, verdicts[index % 3]!, 1));
        if (outcomes.length > 0)
          await settleAttempts(dispatcher.db, outcomes, { ...rules, failureThreshold: 1_000_000 });
      }
    };
    await Promise.all([produce(), produce(), produce(), work(), work(), work()]);
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from webhooks.delivery where account_id = ${accountId}`.execute(admin.db);
    expect(await readPending(accountId)).toBe(rows[0]?.n);
  });

  it('gives the probe of a cooled-down breaker to one worker of ten, and to another when that one dies', async () => {
    const accountId = newId();
    const endpointId = await addEndpoint(accountId);
    for (let index = 0; index < 3; index += 1) await emit(accountId);
    await sql`
      update webhooks.endpoint set circuit_state = 'open', circuit_open_until = now() - interval '1 s',
        consecutive_failures = 10 where id = ${endpointId}
    `.execute(admin.db);
    expect(await claim()).toEqual([]);
    const probe = (leaseSeconds: number) => claimProbes(dispatcher.db, { token: newId(), leaseSeconds, limit: 5 });
    const first = (await Promise.all(Array.from({ length: 10 }, () => probe(30)))).flat();
    expect(first).toHaveLength(1);
    expect(await probe(30)).toEqual([]);
    await releaseClaims(dispatcher.db, first);
    const [second] = await probe(0);
    const [third] = await probe(30);
    const stale = await settleAttempts(dispatcher.db, [conclude(second!, 'failed')], rules);
    expect(stale.breakerMoves).toEqual([]);
    const decided = await settleAttempts(dispatcher.db, [conclude(third!, 'delivered')], rules);
    expect(decided.breakerMoves).toMatchObject([{ endpointId, from: 'half_open', to: 'closed' }]);
    expect(await claim()).toHaveLength(2);
  });

  it('burns no attempt when a claim is given back, and puts it off when asked', async () => {
    const accountId = newId();
    await addEndpoint(accountId);
    await emit(accountId);
    await releaseClaims(dispatcher.db, await claim());
    const [again] = await claim();
    expect(again?.attemptCount).toBe(0);
    await releaseClaims(dispatcher.db, [again!], 60);
    expect(await claim()).toEqual([]);
  });
});

describe('history', () => {
  it('drops days past retention and events nothing refers to, and keeps what is pending whatever its age', async () => {
    const accountId = newId();
    await addEndpoint(accountId);
    const [oldDone, oldPending] = [newId(), newId()];
    await emit(accountId, oldDone);
    const [claimed] = await claim();
    await settleAttempts(dispatcher.db, [conclude(claimed!, 'delivered')], rules);
    await emit(accountId, oldPending);
    await sql`update webhooks.event set created_at = now() - interval '40 days' where account_id = ${accountId}`.execute(
      admin.db,
    );
    await sql`update webhooks.delivery set created_at = now() - interval '40 days'`.execute(admin.db);
    await sql`update webhooks.delivery_done set finished_at = now() - interval '20 days'`.execute(admin.db);
    const purged = await purgeHistory(dispatcher.db, { retentionDays: 14 });
    expect(purged.eventsDeleted).toBe(1);
    const left = await listDeliveries(gateway.db, { accountId }, { beforeId: undefined, limit: 10 });
    expect(left.map((delivery) => delivery.eventId)).toEqual([oldPending]);
    const { rows } = await sql<{ id: string }>`select id from webhooks.event where account_id = ${accountId}`.execute(
      admin.db,
    );
    expect(rows).toEqual([{ id: oldPending }]);
  });

  it('makes the partitions of the days ahead out of rows that waited in the default one', async () => {
    const day = new Date(Date.now() + 10 * 86_400_000);
    await sql`
      insert into webhooks.attempt (delivery_id, account_id, number, started_at, duration_ms)
      values (${newId()}, ${newId()}, 1, ${day}, 1)
    `.execute(admin.db);
    const { rows } = await sql<{ action: string; partition_name: string }>`
      select * from webhooks.maintain_partitions(14, 12)
    `.execute(dispatcher.db);
    expect(rows.filter((row) => row.action === 'created').length).toBe(10);
    const name = `attempt_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
    const found = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(`webhooks.${name}`)}`.execute(
      admin.db,
    );
    expect(found.rows[0]?.n).toBe(1);
  });

  it('reports how long the oldest due delivery waits, without what is held', async () => {
    const accountId = newId();
    const endpointId = await addEndpoint(accountId);
    await emit(accountId);
    await sql`update webhooks.delivery set next_attempt_at = now() - interval '90 s'`.execute(admin.db);
    const gauges = await readQueueGauges(dispatcher.db);
    expect(gauges.oldestDueSeconds).toBeGreaterThanOrEqual(90);
    expect(gauges).toMatchObject({
      pending: 1,
      breakers: { closed: 1, open: 0, half_open: 0 },
      fullestOutboxes: [{ accountId, pending: 1 }],
      recoveriesRunning: 0,
      recoveryRemaining: 0,
    });
    await sql`update webhooks.endpoint set active = false where id = ${endpointId}`.execute(admin.db);
    expect((await readQueueGauges(dispatcher.db)).oldestDueSeconds).toBe(0);
  });
});
