import { randomUUID } from 'node:crypto';
import { APP_ROLES, createDatabase, type AnyDatabase } from '@steward/database';
import { createLogger, newId } from '@steward/runtime';
import {
  claimDeliveries,
  settleAttempts,
  settleDelivered,
  type ClaimedDelivery,
  type DeliveryOutcome,
} from '@steward/slice-webhooks';
import { createTestDatabase, startTestBroker } from '@steward/testing';
import pg from 'pg';
import { percentile } from '../statistics.ts';
import { buildEvents } from './bench-event.ts';
import { startProducer } from './start-producer.ts';

export interface BacklogResult {
  readonly finishedRows: number;
  readonly claimP50: number;
  readonly claimP99: number;
  readonly settleP50: number;
  readonly settleP99: number;
}

const ENDPOINTS = 20;
/** The size of a claim by default. */
const BATCH = 50;
const ROUNDS = 100;
const WARM_UP_ROUNDS = 20;
/** Never down to the last rows, which a claim does not get all at once when one endpoint has most of them. */
const SPARE = 1000;
const BREAKER = { failureThreshold: 10, cooldownSeconds: 900 };

/** Milliseconds of one claim of 50 and of writing its 50 outcomes, at growing numbers of finished deliveries. */
export async function measureBacklog(sizes: readonly number[], say: (line: string) => void): Promise<BacklogResult[]> {
  const database = await createTestDatabase();
  const broker = await startTestBroker();
  const producer = await startProducer(database, broker.url);
  const admin = new pg.Pool({ connectionString: database.url, max: 1 });
  admin.on('error', () => undefined);
  const dispatcher = createDatabase({
    url: database.urlForRole(APP_ROLES.webhookDispatcher),
    applicationName: 'bench-dispatcher',
    poolSize: 2,
    logger: createLogger({ service: 'bench', level: 'error', pretty: false }),
  });
  try {
    const accountId = newId();
    for (let index = 0; index < ENDPOINTS; index += 1)
      await producer.addEndpoint(accountId, `http://127.0.0.1:9/${index}`);
    const results: BacklogResult[] = [];
    let finished = 0;
    for (const size of [...sizes].sort((a, b) => a - b)) {
      await addFinished(admin, accountId, size - finished);
      await addDue(admin, accountId, (ROUNDS + WARM_UP_ROUNDS) * BATCH + SPARE);
      await admin.query('vacuum analyze webhooks.delivery, webhooks.delivery_done, webhooks.attempt, webhooks.event');
      await admin.query('checkpoint');
      results.push({ finishedRows: size, ...(await measureRounds(dispatcher.db)) });
      say(`claim and settle with ${size} finished rows measured`);
      finished = size + (ROUNDS + WARM_UP_ROUNDS) * BATCH;
    }
    return results;
  } finally {
    await dispatcher.close();
    await admin.end();
    await producer.stop();
    await broker.stop();
    await database.drop();
  }
}

async function measureRounds(db: AnyDatabase): Promise<Omit<BacklogResult, 'finishedRows'>> {
  const claimMs: number[] = [];
  const settleMs: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const startedAt = performance.now();
    const input = {
      token: randomUUID(),
      leaseSeconds: 30,
      limit: BATCH,
      defaultAllowance: BATCH,
      allowances: new Map(),
    };
    const claims = await claimDeliveries(db, input);
    const claimedAt = performance.now();
    if (claims.length !== BATCH) throw new Error(`claimed ${claims.length} instead of ${BATCH}`);
    await settle(db, claims.map(toOutcome));
    if (round < WARM_UP_ROUNDS) continue;
    claimMs.push(claimedAt - startedAt);
    settleMs.push(performance.now() - claimedAt);
  }
  return {
    claimP50: percentile(claimMs, 0.5),
    claimP99: percentile(claimMs, 0.99),
    settleP50: percentile(settleMs, 0.5),
    settleP99: percentile(settleMs, 0.99),
  };
}

async function settle(db: AnyDatabase, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  const { rest, lost } = await settleDelivered(db, outcomes);
  const slow = rest.length === 0 ? 0 : (await settleAttempts(db, rest, BREAKER)).settledIds.size;
  const settled = outcomes.length - rest.length - lost.length + slow;
  if (settled !== BATCH) throw new Error(`settled ${settled} instead of ${BATCH}`);
}

function toOutcome(claim: ClaimedDelivery): DeliveryOutcome {
  return {
    deliveryId: claim.id,
    eventId: claim.eventId,
    accountId: claim.accountId,
    endpointId: claim.endpointId,
    claimToken: claim.claimToken,
    urlVersion: claim.urlVersion,
    verdict: 'delivered',
    retryDelayMs: undefined,
    isProbe: false,
    attempt: {
      number: claim.attemptCount + 1,
      startedAt: new Date(),
      durationMs: 5,
      dnsMs: null,
      connectMs: null,
      tlsMs: null,
      firstByteMs: 5,
      responseStatus: 200,
      error: null,
      errorClass: null,
      remoteAddress: '127.0.0.1',
    },
  };
}

/** Finished deliveries with their events and attempts, all of today: the deepest indexes a partition can have. */
async function addFinished(admin: pg.Pool, accountId: string, count: number): Promise<void> {
  if (count <= 0) return;
  const body = Buffer.from(buildEvents(1, [accountId])[0]?.body ?? '');
  await admin.query(
    `with target as (
       select array_agg(id) as ids from webhooks.endpoint where account_id = $1
     ), fact as (
       insert into webhooks.event (account_id, id, type, occurred_at, body)
       select $1, gen_random_uuid(), 'session.ended', now(), $2 from generate_series(1, $3::int)
       returning id
     ), done as (
       insert into webhooks.delivery_done (id, account_id, endpoint_id, event_id, event_type, generation, status,
         attempt_count, response_status, occurred_at, created_at, finished_at)
       select webhooks.new_id(), $1, target.ids[1 + floor(random() * ${ENDPOINTS})::int], fact.id, 'session.ended', 1,
         'delivered', 1, 200, now(), now(), now()
       from fact, target
       returning id
     )
     insert into webhooks.attempt (delivery_id, account_id, number, started_at, duration_ms, response_status)
     select id, $1, 1, now(), 5, 200 from done`,
    [accountId, body, count],
  );
}

async function addDue(admin: pg.Pool, accountId: string, count: number): Promise<void> {
  const body = Buffer.from(buildEvents(1, [accountId])[0]?.body ?? '');
  await admin.query(
    `with target as (
       select array_agg(id) as ids from webhooks.endpoint where account_id = $1
     ), fact as (
       insert into webhooks.event (account_id, id, type, occurred_at, body)
       select $1, gen_random_uuid(), 'session.ended', now(), $2 from generate_series(1, $3::int)
       returning id
     ), due as (
       insert into webhooks.delivery (account_id, endpoint_id, event_id, event_type, occurred_at)
       select $1, target.ids[1 + floor(random() * ${ENDPOINTS})::int], fact.id, 'session.ended', now() from fact, target
       returning id
     )
     update webhooks.outbox_shard set pending = pending + (select count(*) from due) where account_id = $1 and shard = 0`,
    [accountId, body, count],
  );
}
