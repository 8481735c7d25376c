import { createDatabase, migrateSlice, transact } from '@steward/database';
import { newId } from '@steward/crypto';
import { createLogger } from '@steward/process';
import { createTestDatabase } from '@steward/testing';
import { sql } from 'kysely';
import { webhooksMigrations } from '../../../migrations/index.ts';
import { claimProbes } from '../../breaker/store/probe.store.ts';
import { updateEndpoint } from '../../endpoints/operations/update-endpoint.ts';
import { BREAKER_RULES, conclude, openWebhooks, type OpenWebhooks } from '../../testing/open-webhooks.ts';
import { markForgotten } from '../store/parking.store.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { settleAttempts } from './settle-attempts.ts';

let suite: OpenWebhooks;
beforeEach(async () => {
  suite = await openWebhooks();
});
afterEach(() => suite.close());

const accountId = newId();

function setActive(endpointId: string, active: boolean) {
  return suite.write((trx, hints) =>
    updateEndpoint(trx, hints, { accountId, endpointId, patch: { active } }, suite.secretBox),
  );
}

async function emitMany(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await suite.emit(accountId);
}

/** Returns the number of rows in each state. */
async function countRows(): Promise<{ walked: number; time: number; endpoint: number }> {
  const { rows } = await sql<{ walked: number; time: number; endpoint: number }>`
    select count(*) filter (where waits_for is null)::int as walked,
      count(*) filter (where waits_for = 'time')::int as time,
      count(*) filter (where waits_for = 'endpoint')::int as endpoint
    from webhooks.delivery
  `.execute(suite.admin);
  return rows[0] ?? { walked: -1, time: -1, endpoint: -1 };
}

/** Claims until no more rows are returned, at most `limit` per claim; returns their ids. */
async function claimAll(limit: number): Promise<Set<string>> {
  const ids = new Set<string>();
  for (;;) {
    const claims = await suite.claim({ limit });
    if (claims.length === 0) return ids;
    for (const { id } of claims) ids.add(id);
  }
}

describe('a delivery that waits for its endpoint', () => {
  it('is parked by one claim and skipped by later ones until all waiting deliveries return', async () => {
    const endpointId = await suite.addEndpoint(accountId);
    await setActive(endpointId, false);
    // The number of rows exceeds what one statement moves.
    await emitMany(230);
    expect(await suite.claim()).toEqual([]);
    expect(await countRows()).toEqual({ walked: 130, time: 0, endpoint: 100 });
    await suite.claim();
    await suite.claim();
    expect(await countRows()).toEqual({ walked: 0, time: 0, endpoint: 230 });
    await suite.emit(accountId);
    await suite.claim();
    expect(await countRows()).toEqual({ walked: 0, time: 0, endpoint: 231 });

    await setActive(endpointId, true);
    expect((await claimAll(50)).size).toBe(231);
    const { rows } = await sql`select waiting_since from webhooks.endpoint where id = ${endpointId}`.execute(
      suite.admin,
    );
    expect(rows).toEqual([{ waiting_since: null }]);
  });

  it('is never lost, for any interleaving of switching, emitting and claiming', async () => {
    const endpointId = await suite.addEndpoint(accountId);
    let emitted = 0;
    const claimed: string[] = [];
    const work = async (rounds: number, step: () => Promise<unknown>): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) await step();
    };
    let active = true;
    const claim = async () => void claimed.push(...(await suite.claim({ limit: 3 })).map(({ id }) => id));
    await Promise.all([
      work(40, () => setActive(endpointId, (active = !active))),
      work(60, async () => {
        await suite.emit(accountId);
        emitted += 1;
      }),
      ...[1, 2, 3].map(() => work(40, claim)),
    ]);
    await setActive(endpointId, true);
    claimed.push(...(await claimAll(50)));
    expect(new Set(claimed).size).toBe(emitted);
    expect(claimed).toHaveLength(emitted);
  });

  it('serves as the probe of its breaker, even if it was created after the breaker had opened', async () => {
    const endpointId = await suite.addEndpoint(accountId);
    await sql`
      update webhooks.endpoint set circuit_state = 'open', circuit_open_until = now() - interval '1 s' where id = ${endpointId}
    `.execute(suite.admin);
    const probe = async () =>
      (await suite.claim()).length +
      (await claimProbes(suite.dispatcher, { token: newId(), leaseSeconds: 30, limit: 5 })).length;
    expect(await probe()).toBe(0);
    await suite.emit(accountId);
    expect(await probe()).toBe(1);
    expect(await probe()).toBe(0);
  });

  it('is found again even if the marker of its endpoint was lost', async () => {
    const endpointId = await suite.addEndpoint(accountId);
    await setActive(endpointId, false);
    await suite.emit(accountId);
    await suite.claim();
    await sql`update webhooks.endpoint set waiting_since = null`.execute(suite.admin);
    await setActive(endpointId, true);
    expect(await suite.claim()).toEqual([]);
    expect(await markForgotten(suite.dispatcher)).toBe(1);
    expect(await suite.claim()).toHaveLength(1);
    expect(await markForgotten(suite.dispatcher)).toBe(0);
  });
});

describe('a delivery that waits for its next attempt', () => {
  it('is skipped until then', async () => {
    await suite.addEndpoint(accountId);
    await suite.emit(accountId);
    const [claimed] = await suite.claim();
    await settleAttempts(suite.dispatcher, [conclude(claimed!, 'failed')], BREAKER_RULES);
    expect(await suite.claim()).toEqual([]);
    expect(await countRows()).toEqual({ walked: 0, time: 1, endpoint: 0 });
    await sql`update webhooks.delivery set next_attempt_at = now() - interval '1 s'`.execute(suite.admin);
    expect(await suite.claim()).toMatchObject([{ id: claimed!.id, attemptCount: 1 }]);
  });
});

describe('a claim', () => {
  it('examines a bounded number of endpoints, and the next claims reach the rest', async () => {
    // Each endpoint has a delivery in flight, so that a walk over the endpoints reaches all of them.
    await sql`
      with e as (
        insert into webhooks.endpoint (id, account_id, url)
        select webhooks.new_id(), gen_random_uuid(), 'http://127.0.0.1:1/' from generate_series(1, 450) returning id, account_id
      )
      insert into webhooks.delivery (account_id, endpoint_id, event_id, event_type, occurred_at, claim_token, claim_until)
      select account_id, id, gen_random_uuid(), 'session.ended', now(), gen_random_uuid(), now() + interval '1 hour' from e
    `.execute(suite.admin);
    await suite.addEndpoint(accountId);
    await suite.emit(accountId);
    const claims: number[] = [];
    let afterEndpointId: string | undefined;
    for (let index = 0; index < 4; index += 1) {
      const input = { leaseSeconds: 0, limit: 10, defaultAllowance: 5, allowances: new Map<string, number>() };
      const claim = await claimDeliveries(suite.dispatcher, { ...input, token: newId(), afterEndpointId });
      claims.push(claim.claims.length);
      afterEndpointId = claim.nextAfterEndpointId;
    }
    // Its endpoint is the newest one, after which the walk starts again from the beginning.
    expect(claims).toEqual([0, 0, 1, 0]);
  });
});

it('finds deliveries stored by a version that did not park deliveries', async () => {
  const testDatabase = await createTestDatabase();
  const logger = createLogger({ service: 'test', level: 'error', pretty: false });
  const { db, close } = createDatabase({ url: testDatabase.url, applicationName: 'test', poolSize: 2, logger });
  await sql`drop schema webhooks cascade`.execute(db);
  await sql`create schema webhooks`.execute(db);
  const before = Object.entries(webhooksMigrations.migrations).filter(([name]) => name < '0012');
  await migrateSlice(db, { ...webhooksMigrations, migrations: Object.fromEntries(before) });
  const [open, retrying] = [newId(), newId()];
  await sql`
    insert into webhooks.endpoint (id, account_id, url, circuit_state, circuit_open_until)
    values (${open}, ${accountId}, 'http://127.0.0.1:1/', 'open', now() - interval '1 s'),
      (${retrying}, ${accountId}, 'http://127.0.0.1:1/', 'closed', null)
  `.execute(db);
  await sql`
    insert into webhooks.delivery (account_id, endpoint_id, event_id, event_type, occurred_at, next_attempt_at)
    values (${accountId}, ${open}, ${newId()}, 'session.ended', now(), now()),
      (${accountId}, ${retrying}, ${newId()}, 'session.ended', now(), now()),
      (${accountId}, ${retrying}, ${newId()}, 'session.ended', now(), now() + interval '1 hour')
  `.execute(db);
  await migrateSlice(db, webhooksMigrations);
  const input = { token: newId(), leaseSeconds: 30, limit: 10, defaultAllowance: 5, allowances: new Map() };
  const due = await transact({ db, broker: { publishHint: () => undefined } }, (trx) => claimDeliveries(trx, input));
  expect(due.claims.map((claim) => claim.endpointId)).toEqual([retrying]);
  const probes = await claimProbes(db, { token: newId(), leaseSeconds: 30, limit: 5 });
  expect(probes.map((claim) => claim.endpointId)).toEqual([open]);
  await sql`update webhooks.delivery set next_attempt_at = now() - interval '1 s' where waits_for = 'time'`.execute(db);
  expect((await claimDeliveries(db, input)).woke).toBe(true);
  expect((await claimDeliveries(db, { ...input, token: newId() })).claims).toHaveLength(1);
  await close();
  await testDatabase.drop();
});
