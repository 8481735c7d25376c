import { EVENT_TYPES, type EventData } from '@steward/contracts';
import { beginTrace, createSecretBox, newId } from '@steward/crypto';
import { APP_ROLES, transact, type AnyTransaction, type Database } from '@steward/database';
import { openClone, type Clone } from '@steward/database/testing';
import { sql } from 'kysely';
import { emitEvent, type EmitOutcome } from './emit-event.ts';
import { createEndpoint } from '../../endpoints/operations/create-endpoint.ts';
import { deleteEndpoint } from '../../endpoints/operations/delete-endpoint.ts';
import { updateEndpoint } from '../../endpoints/operations/update-endpoint.ts';
import { claimDeliveries } from '../../deliveries/operations/claim-deliveries.ts';
import { readQueueGauges } from '../../deliveries/store/queue-gauges.store.ts';
import { settleAttempts } from '../../deliveries/operations/settle-attempts.ts';

let clone: Clone;
let gateway: Database;
let dispatcher: Database;
const published: string[] = [];
const broker = { publishHint: (name: string) => void published.push(name) };
const secretBox = createSecretBox('a-secret-key-for-tests-only-0123456789', 'webhook-endpoint');
const data = EVENT_TYPES['session.ended'].example as unknown as EventData<'session.ended'>;

beforeAll(async () => {
  clone = await openClone({ poolSize: 25 });
  gateway = clone.connectAs(APP_ROLES.apiGateway);
  dispatcher = clone.connectAs(APP_ROLES.webhookDispatcher);
});
afterAll(() => clone.close());

function write<T>(work: (trx: AnyTransaction, hints: Parameters<typeof emitEvent>[1]) => Promise<T>): Promise<T> {
  return transact({ db: gateway.db, broker, traceparent: beginTrace() }, work);
}

async function addEndpoint(accountId: string, eventTypes: string[] = []): Promise<string> {
  const input = { accountId, url: 'http://127.0.0.1:1/', description: '', eventTypes };
  const outcome = await write((trx) => createEndpoint(trx, input, secretBox));
  if (outcome.kind !== 'created') throw new Error(outcome.kind);
  return outcome.endpoint.id;
}

function emit(accountId: string, id = newId(), maxPendingPerAccount = 10_000): Promise<EmitOutcome> {
  const event = { type: 'session.ended' as const, id, accountId, occurredAt: new Date(), data };
  return write((trx, hints) => emitEvent(trx, hints, event, { maxPendingPerAccount }));
}

async function count(table: string, accountId: string): Promise<number> {
  const result = await sql<{ n: number }>`
    select count(*)::int as n from ${sql.table(`webhooks.${table}`)} where account_id = ${accountId}
  `.execute(gateway.db);
  return result.rows[0]?.n ?? -1;
}

async function readPending(accountId: string): Promise<number> {
  const result = await sql<{ pending: number }>`
    select coalesce(sum(pending), 0)::int as pending from webhooks.outbox_shard where account_id = ${accountId}
  `.execute(gateway.db);
  return result.rows[0]?.pending ?? -1;
}

async function readRefusal(endpointId: string): Promise<string | null> {
  const result = await sql<{ refusal_reason: string | null }>`
    select refusal_reason from webhooks.endpoint where id = ${endpointId}
  `.execute(gateway.db);
  return result.rows[0]?.refusal_reason ?? null;
}

async function deliverOne(): Promise<void> {
  const { claims } = await claimDeliveries(dispatcher.db, {
    token: newId(),
    leaseSeconds: 30,
    limit: 1,
    defaultAllowance: 1,
    allowances: new Map(),
  });
  const attempt = {
    number: 1,
    startedAt: new Date(),
    durationMs: 1,
    dnsMs: null,
    connectMs: null,
    tlsMs: null,
    firstByteMs: 1,
    responseStatus: 200,
    error: null,
    errorClass: null,
    remoteAddress: null,
  };
  const outcomes = claims.map((claim) => ({
    ...claim,
    deliveryId: claim.id,
    verdict: 'delivered' as const,
    retryDelayMs: undefined,
    attempt,
  }));
  await settleAttempts(dispatcher.db, outcomes, { failureThreshold: 10, cooldownSeconds: 900 });
}

describe('emitting an event', () => {
  it('stores the event once and one delivery per subscribed endpoint (HOOK-2, EVT-4)', async () => {
    const accountId = newId();
    await addEndpoint(accountId);
    await addEndpoint(accountId, ['session.ended', 'policy.denied']);
    await addEndpoint(accountId, ['policy.denied']);
    const outcome = await emit(accountId);
    expect(outcome).toMatchObject({ kind: 'emitted', deliveryIds: [expect.any(String), expect.any(String)] });
    expect([await count('event', accountId), await count('delivery', accountId), await readPending(accountId)]).toEqual(
      [1, 2, 2],
    );
  });

  it('stores nothing if no endpoint is subscribed (EVT-8)', async () => {
    const accountId = newId();
    await addEndpoint(accountId, ['policy.denied']);
    expect(await emit(accountId)).toEqual({ kind: 'no_endpoint' });
    expect(await emit(newId())).toEqual({ kind: 'no_endpoint' });
    expect(await count('event', accountId)).toBe(0);
  });

  it('leaves nothing behind and publishes nothing if the producer rolls back (EVT-8)', async () => {
    const accountId = newId();
    await addEndpoint(accountId);
    published.length = 0;
    const event = { type: 'session.ended' as const, id: newId(), accountId, occurredAt: new Date(), data };
    const failing = write(async (trx, hints) => {
      await emitEvent(trx, hints, event, { maxPendingPerAccount: 10 });
      throw new Error('business rule');
    });
    await expect(failing).rejects.toThrow('business rule');
    expect([await count('event', accountId), await count('delivery', accountId), await readPending(accountId)]).toEqual(
      [0, 0, 0],
    );
    expect(published).toEqual([]);
  });

  it('deduplicates the same fact emitted by twenty concurrent transactions (EVT-4)', async () => {
    const accountId = newId();
    await addEndpoint(accountId);
    await addEndpoint(accountId);
    const id = newId();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => emit(accountId, id)));
    expect(outcomes.filter((outcome) => outcome.kind === 'emitted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.kind === 'duplicate')).toHaveLength(19);
    expect([await count('event', accountId), await count('delivery', accountId), await readPending(accountId)]).toEqual(
      [1, 2, 2],
    );
  });

  it('separates equal ids in two accounts', async () => {
    const [first, second] = [newId(), newId()];
    await addEndpoint(first);
    await addEndpoint(second);
    const id = newId();
    expect((await emit(first, id)).kind).toBe('emitted');
    expect((await emit(second, id)).kind).toBe('emitted');
  });

  it('enforces the limit exactly under twenty concurrent emitters, without affecting other accounts', async () => {
    const [accountId, other] = [newId(), newId()];
    await addEndpoint(accountId);
    await addEndpoint(other);
    const emits = Array.from({ length: 60 }, () => emit(accountId, newId(), 25));
    const outcomes = await Promise.all(emits);
    expect(outcomes.filter((outcome) => outcome.kind === 'emitted')).toHaveLength(25);
    expect(outcomes.filter((outcome) => outcome.kind === 'refused')).toHaveLength(35);
    expect([await count('delivery', accountId), await readPending(accountId)]).toEqual([25, 25]);
    expect((await emit(other, newId(), 25)).kind).toBe('emitted');
  });

  it('records a refusal on the endpoints, lets the producer commit, and clears it when there is space (HOOK-31)', async () => {
    const accountId = newId();
    const endpointId = await addEndpoint(accountId);
    expect((await emit(accountId, newId(), 1)).kind).toBe('emitted');
    expect(await emit(accountId, newId(), 1)).toEqual({ kind: 'refused', reason: 'outbox_full' });
    expect(await readRefusal(endpointId)).toBe('outbox_full');
    expect(await count('event', accountId)).toBe(1);
    expect((await readQueueGauges(dispatcher.db)).refusedEvents).toBeGreaterThan(0);
    while ((await readPending(accountId)) > 0) await deliverOne();
    expect(await readRefusal(endpointId)).toBeNull();
    expect((await emit(accountId, newId(), 1)).kind).toBe('emitted');
  });

  it('records a refusal again right after the first one was cleared', async () => {
    const accountId = newId();
    const endpointId = await addEndpoint(accountId);
    await emit(accountId, newId(), 1);
    await emit(accountId, newId(), 1);
    await emit(accountId, newId(), 2);
    expect(await readRefusal(endpointId)).toBeNull();
    await emit(accountId, newId(), 2);
    expect(await readRefusal(endpointId)).toBe('outbox_full');
  });

  it('returns duplicate, not refused, for an event that is already stored while the outbox is full', async () => {
    const accountId = newId();
    const endpointId = await addEndpoint(accountId);
    const id = newId();
    await emit(accountId, id, 1);
    expect(await emit(accountId, id, 1)).toEqual({ kind: 'duplicate' });
    expect(await readRefusal(endpointId)).toBeNull();
  });

  it('holds events of an inactive endpoint and cancels them when it is deleted (HOOK-9, HOOK-10)', async () => {
    const accountId = newId();
    const endpointId = await addEndpoint(accountId);
    await write((trx, hints) =>
      updateEndpoint(trx, hints, { accountId, endpointId, patch: { active: false } }, secretBox),
    );
    await emit(accountId);
    expect(await readPending(accountId)).toBe(1);
    expect(await write((trx) => deleteEndpoint(trx, { accountId, endpointId }))).toEqual({
      kind: 'deleted',
      cancelled: 1,
    });
    expect([
      await readPending(accountId),
      await count('delivery', accountId),
      await count('delivery_done', accountId),
    ]).toEqual([0, 0, 1]);
  });

  it('allows exactly twenty endpoints under concurrent registration (HOOK-1)', async () => {
    const accountId = newId();
    const attempts = await Promise.all(
      Array.from({ length: 25 }, () =>
        write((trx) =>
          createEndpoint(trx, { accountId, url: 'http://a/', description: '', eventTypes: [] }, secretBox),
        ),
      ),
    );
    expect(attempts.filter((outcome) => outcome.kind === 'created')).toHaveLength(20);
    expect(attempts.filter((outcome) => outcome.kind === 'limit_reached')).toHaveLength(5);
  });
});
