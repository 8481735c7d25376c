import { randomUUID } from 'node:crypto';
import { APP_ROLES, createDatabase, type AnyDatabase } from '@steward/database';
import { newId } from '@steward/crypto';
import { createLogger } from '@steward/process';
import {
  claimDeliveries,
  settleAttempts,
  settleDelivered,
  type Claim,
  type ClaimedDelivery,
  type DeliveryOutcome,
} from '@steward/webhooks';
import { createTestDatabase, startTestBroker } from '@steward/testing';
import pg from 'pg';
import { percentile } from '../statistics.ts';
import { addDue } from './add-deliveries.ts';
import { startProducer } from './start-producer.ts';

export type RoundTimes = Readonly<Record<'claimP50' | 'claimP99' | 'settleP50' | 'settleP99', number>>;

const ENDPOINTS = 20;
/** Default size of a claim. */
const BATCH = 50;
const ROUNDS = 100;
const WARM_UP_ROUNDS = 20;
/** Number of deliveries finished by one measurement. */
export const FINISHED_BY_ROUNDS = (ROUNDS + WARM_UP_ROUNDS) * BATCH;
/**
 * Number of rows that are left over, because a claim does not get all of the last rows at once if most of them belong
 * to one endpoint.
 */
const SPARE = 1000;
const BREAKER = { failureThreshold: 10, cooldownSeconds: 900 };

interface ClaimBench {
  readonly admin: pg.Pool;
  /** Id of the account whose deliveries are measured. */
  readonly accountId: string;
  claim(): Promise<Claim>;
  /** Makes enough deliveries due, in tables with current statistics, and measures rounds of claims. */
  measure(): Promise<RoundTimes>;
  close(): Promise<void>;
}

/** Measures at each of these sizes, the smallest first, in one growing database; returns the results. */
export async function measureGrowing<Result>(
  sizes: readonly number[],
  measure: (bench: ClaimBench, size: number) => Promise<Result>,
): Promise<Result[]> {
  const bench = await openClaimBench();
  try {
    const results: Result[] = [];
    for (const size of [...sizes].sort((a, b) => a - b)) results.push(await measure(bench, size));
    return results;
  } finally {
    await bench.close();
  }
}

/**
 * Opens a database with one account that has 20 endpoints, and the row operations of a dispatcher without sending
 * requests.
 */
async function openClaimBench(): Promise<ClaimBench> {
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
  const accountId = newId();
  for (let index = 0; index < ENDPOINTS; index += 1)
    await producer.addEndpoint(accountId, `http://127.0.0.1:9/${index}`);
  return {
    admin,
    accountId,
    claim: () => claim(dispatcher.db),
    async measure() {
      await addDue(admin, accountId, FINISHED_BY_ROUNDS + SPARE);
      await admin.query(
        'vacuum analyze webhooks.delivery, webhooks.delivery_done, webhooks.attempt, webhooks.event, webhooks.endpoint',
      );
      await admin.query('checkpoint');
      return measureRounds(dispatcher.db);
    },
    async close() {
      await dispatcher.close();
      await admin.end();
      await producer.stop();
      await broker.stop();
      await database.drop();
    },
  };
}

function claim(db: AnyDatabase): Promise<Claim> {
  const input = { token: randomUUID(), leaseSeconds: 30, limit: BATCH, defaultAllowance: BATCH, allowances: new Map() };
  return claimDeliveries(db, input);
}

async function measureRounds(db: AnyDatabase): Promise<RoundTimes> {
  const claimMs: number[] = [];
  const settleMs: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const startedAt = performance.now();
    const { claims } = await claim(db);
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
    ...claim,
    deliveryId: claim.id,
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
