import { connectBroker } from '@steward/broker';
import type { HintSink } from '@steward/contracts';
import { beginTrace, createSecretBox, KEY_PURPOSES } from '@steward/crypto';
import { APP_ROLES, createDatabase, transact, type AnyDatabase, type AnyTransaction } from '@steward/database';
import { createLogger, createMetrics } from '@steward/process';
import { createEndpoint, emitEvent } from '@steward/webhooks';
import type { TestDatabase } from '@steward/testing';
import { BENCH_EVENT_DATA, BENCH_EVENT_TYPE } from './bench-event.ts';

export const SECRET_KEY = 'a-secret-key-for-benches-only-0123456789';
const MAX_PENDING_PER_ACCOUNT = 1_000_000;
const POOL_SIZE = 10;

export interface Producer {
  readonly db: AnyDatabase;
  /** Adds an endpoint; returns its secret. */
  addEndpoint(accountId: string, url: string): Promise<string>;
  /** Emits an event as the gateway does: in a transaction with the role of the app, with the hint after the commit. */
  emit(accountId: string, eventId: string): Promise<void>;
  /** Runs a producing transaction with other work in it, within which `emit` runs. */
  transact(
    work: (trx: AnyTransaction, emit: (accountId: string, eventId: string) => Promise<void>) => Promise<void>,
  ): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the part of the gateway that emits events, in this process. */
export async function startProducer(database: TestDatabase, natsUrl: string): Promise<Producer> {
  const logger = createLogger({ service: 'bench', level: 'error', pretty: false });
  const { db, close } = createDatabase({
    url: database.urlForRole(APP_ROLES.apiGateway),
    applicationName: 'bench-producer',
    poolSize: POOL_SIZE,
    logger,
  });
  const broker = await connectBroker({ url: natsUrl, name: 'bench', logger, metrics: createMetrics('bench') });
  await broker.ensureStreams();
  const secretBox = createSecretBox(SECRET_KEY, KEY_PURPOSES.endpoint);
  return {
    db,
    addEndpoint(accountId, url) {
      return transact({ db, broker }, async (trx) => {
        const input = { accountId, url, description: 'bench', eventTypes: [] };
        const outcome = await createEndpoint(trx, input, secretBox);
        if (outcome.kind !== 'created') throw new Error(`no endpoint: ${outcome.kind}`);
        return outcome.secret;
      });
    },
    emit: (accountId, id) =>
      transact({ db, broker, traceparent: beginTrace() }, (trx, hints) => emitIn(trx, hints, accountId, id)),
    transact: (work) =>
      transact({ db, broker, traceparent: beginTrace() }, (trx, hints) =>
        work(trx, (accountId, id) => emitIn(trx, hints, accountId, id)),
      ),
    async stop() {
      await broker.close();
      await close();
    },
  };
}

async function emitIn(trx: AnyTransaction, hints: HintSink, accountId: string, id: string): Promise<void> {
  const event = { type: BENCH_EVENT_TYPE, id, accountId, occurredAt: new Date(), data: BENCH_EVENT_DATA };
  const outcome = await emitEvent(trx, hints, event, { maxPendingPerAccount: MAX_PENDING_PER_ACCOUNT });
  if (outcome.kind !== 'emitted') throw new Error(`not emitted: ${outcome.kind}`);
}
