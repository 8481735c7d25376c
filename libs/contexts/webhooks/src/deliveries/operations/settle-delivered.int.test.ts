import { newId } from '@steward/crypto';
import { sql } from 'kysely';
import { eventually, useOpened } from '@steward/testing';
import { conclude, openWebhooks, BREAKER_RULES } from '../../testing/open-webhooks.ts';
import { readDelivery } from '../../history/operations/read-delivery.ts';
import { settleAttempts } from './settle-attempts.ts';
import { settleDelivered } from './settle-delivered.ts';

const suite = useOpened(openWebhooks);
interface Noted {
  last_delivery_status: string | null;
  last_delivery_at: Date | null;
  consecutive_failures: number;
}

async function readEndpoint(id: string): Promise<Noted> {
  const result = await sql<Noted>`
    select last_delivery_status, last_delivery_at, consecutive_failures from webhooks.endpoint where id = ${id}
  `.execute(suite().admin);
  return result.rows[0]!;
}

/** Creates an endpoint with a number of claimed deliveries. */
async function prepare(count: number) {
  const accountId = newId();
  const endpointId = await suite().addEndpoint(accountId);
  for (let index = 0; index < count; index += 1) await suite().emit(accountId);
  const claims = (await suite().claim({ limit: 1000 })).filter((claim) => claim.endpointId === endpointId);
  return { accountId, endpointId, claims };
}

describe('storing successes', () => {
  it('finishes the rows, logs the attempts, and updates counters and endpoint in one transaction', async () => {
    const { accountId, endpointId, claims } = await prepare(5);
    const outcomes = claims.map((claim) => conclude(claim, 'delivered'));
    expect(await settleDelivered(suite().dispatcher, outcomes)).toEqual({ rest: [], lost: [] });
    expect(await suite().readPending(accountId)).toEqual({ counter: 0, rows: 0 });
    const found = await readDelivery(suite().gateway, { accountId }, claims[0]!.id);
    expect(found).toMatchObject({
      delivery: { status: 'delivered', attemptCount: 1, responseStatus: 200, lastError: null },
      attempts: [{ number: 1, durationMs: 5, connectMs: 1, responseStatus: 200, remoteAddress: '127.0.0.1' }],
    });
    expect(found?.attempts[0]?.startedAt).toEqual(outcomes[0]?.attempt.startedAt);
    expect(await readEndpoint(endpointId)).toMatchObject({
      last_delivery_status: 'delivered',
      consecutive_failures: 0,
    });
  });

  it('leaves failures, probes and any success after a failure to the breaker logic', async () => {
    const { endpointId, claims } = await prepare(6);
    const [failed, after, ...others] = claims;
    const mixed = [conclude(failed!, 'failed'), conclude(after!, 'delivered')];
    expect((await settleDelivered(suite().dispatcher, mixed)).rest).toEqual(mixed);
    await settleAttempts(suite().dispatcher, mixed.slice(0, 1), BREAKER_RULES);
    expect(await readEndpoint(endpointId)).toMatchObject({ last_delivery_status: 'failed', consecutive_failures: 1 });
    const successes = [conclude(after!, 'delivered'), ...others.map((claim) => conclude(claim, 'delivered'))];
    expect((await settleDelivered(suite().dispatcher, successes)).rest).toEqual(successes);
    await settleAttempts(suite().dispatcher, successes.slice(0, 1), BREAKER_RULES);
    expect((await readEndpoint(endpointId)).consecutive_failures).toBe(0);
    const probe = { ...conclude(others[0]!, 'delivered'), isProbe: true };
    expect((await settleDelivered(suite().dispatcher, [probe])).rest).toEqual([probe]);
    expect((await settleDelivered(suite().dispatcher, successes.slice(1))).rest).toEqual([]);
  });

  it('reports outcomes whose claim was lost and changes nothing for them', async () => {
    const { accountId, claims } = await prepare(2);
    const late = { ...conclude(claims[0]!, 'delivered'), claimToken: newId() };
    const held = conclude(claims[1]!, 'delivered');
    expect(await settleDelivered(suite().dispatcher, [late, held])).toEqual({ rest: [], lost: [late] });
    expect(await settleDelivered(suite().dispatcher, [held])).toEqual({ rest: [], lost: [held] });
    expect(await suite().readPending(accountId)).toEqual({ counter: 1, rows: 1 });
  });

  it('does not wait for locks: outcomes with a locked row are skipped, the others are written', async () => {
    const busy = await prepare(1);
    const full = await prepare(1);
    const free = await prepare(1);
    const outcomes = [busy, full, free].map(({ claims }) => conclude(claims[0]!, 'delivered'));
    const blocker = await suite().admin.startTransaction().execute();
    await sql`select from webhooks.endpoint where id = ${busy.endpointId} for update`.execute(blocker);
    await sql`select from webhooks.outbox_shard where account_id = ${full.accountId} for update`.execute(blocker);
    expect((await settleDelivered(suite().dispatcher, outcomes)).rest).toEqual(outcomes.slice(0, 2));
    await blocker.rollback().execute();
    expect((await settleDelivered(suite().dispatcher, outcomes.slice(0, 2))).rest).toEqual([]);
  });

  it('updates the endpoint after a success at most once a second', async () => {
    const { endpointId, claims } = await prepare(50);
    const settleNext = () => settleDelivered(suite().dispatcher, [conclude(claims.pop()!, 'delivered')]);
    // The result is inconclusive if a busy machine took a second between the two settlements.
    const [first, second] = await eventually(async () => {
      await settleNext();
      const before = await readEndpoint(endpointId);
      await settleNext();
      const after = await readEndpoint(endpointId);
      const { rows } = await sql<{ isWithin: boolean }>`
        select clock_timestamp() < ${before.last_delivery_at}::timestamptz + interval '1 second' as "isWithin"
      `.execute(suite().admin);
      return rows[0]!.isWithin && ([before, after] as const);
    });
    expect(second).toEqual(first);
    await sql`update webhooks.endpoint set last_delivery_at = last_delivery_at - interval '1 second'`.execute(
      suite().admin,
    );
    await settleNext();
    expect((await readEndpoint(endpointId)).last_delivery_at!.getTime()).toBeGreaterThanOrEqual(
      first.last_delivery_at!.getTime(),
    );
  });
});
