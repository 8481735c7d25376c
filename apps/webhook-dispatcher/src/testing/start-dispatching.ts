import { resolve } from 'node:path';
import { connectBroker } from '@steward/broker';
import { EVENT_TYPES, type EventData, type EventType } from '@steward/contracts';
import { beginTrace, createSecretBox, deriveKey, KEY_PURPOSES, newId } from '@steward/crypto';
import { APP_ROLES, transact, type AnyTransaction } from '@steward/database';
import { connectTestDatabase } from '@steward/database/testing';
import { createLogger, createMetrics } from '@steward/process';
import {
  createEndpoint,
  emitEvent,
  listDeliveries,
  readDelivery,
  updateEndpoint,
  type Delivery,
  type DeliveryFilter,
  type EndpointPatch,
} from '@steward/webhooks';
import { createTestDatabase, startAppProcess, startTestBroker, type AppProcess } from '@steward/testing';
import pg from 'pg';
import { buildApp, type DispatcherOverrides } from '../app.ts';

const MAIN = resolve(import.meta.dirname, '../main.ts');
const SECRET_KEY = 'a-secret-key-for-tests-only-0123456789';

export interface RegisteredEndpoint {
  readonly accountId: string;
  readonly id: string;
  readonly secret: string;
}

export type Dispatching = Awaited<ReturnType<typeof startDispatching>>;

/** Starts a database, a broker and a producer with the gateway's role; tests start dispatchers as they need them. */
export async function startDispatching() {
  const testDatabase = await createTestDatabase();
  const testBroker = await startTestBroker();
  const logger = createLogger({ service: 'producer', level: 'error', pretty: false });
  const gateway = connectTestDatabase(testDatabase.urlForRole(APP_ROLES.apiGateway), {
    applicationName: 'producer',
    poolSize: 10,
    logger,
  });
  const broker = await connectBroker({
    url: testBroker.url,
    name: 'producer',
    logger,
    metrics: createMetrics('producer'),
  });
  await broker.ensureStreams();
  const secretBox = createSecretBox(SECRET_KEY, KEY_PURPOSES.endpoint);
  const admin = new pg.Pool({ connectionString: testDatabase.url, max: 2 });
  const stops: (() => Promise<unknown>)[] = [];

  const baseEnvironment = {
    DATABASE_URL: testDatabase.urlForRole(APP_ROLES.webhookDispatcher),
    NATS_URL: testBroker.urlFor('webhook-dispatcher'),
    ENDPOINT_SECRET_KEY: deriveKey(SECRET_KEY, KEY_PURPOSES.endpoint),
    HEALTH_HOST: '127.0.0.1',
    HEALTH_PORT: '0',
    LOG_LEVEL: 'error',
    WEBHOOK_DELIVERY_POLL_SECONDS: '0.2',
    // Long, so that a post that a test or a busy machine delays is not sent again.
    WEBHOOK_DELIVERY_TIMEOUT_SECONDS: '60',
  };

  function write<T>(work: (trx: AnyTransaction, hints: Parameters<typeof emitEvent>[1]) => Promise<T>): Promise<T> {
    return transact({ db: gateway.db, broker, traceparent: beginTrace() }, work);
  }

  return {
    db: gateway.db,
    secretBox,
    write,
    /** Runs a statement as the superuser, independent of the grants. */
    query: (text: string, values: readonly unknown[]) => admin.query(text, [...values]),
    broker: testBroker,
    async startDispatcher(environment: Record<string, string> = {}, overrides: DispatcherOverrides = {}) {
      const app = await buildApp({ ...baseEnvironment, ...environment }, overrides);
      await app.lifecycle.start();
      stops.push(() => app.lifecycle.stop());
      return { stop: () => app.lifecycle.stop(), healthPort: Number(app.describe().health_port) };
    },
    /** Starts a dispatcher that can be killed. */
    async startProcess(environment: Record<string, string> = {}): Promise<AppProcess> {
      const child = await startAppProcess(MAIN, { ...baseEnvironment, LOG_LEVEL: 'info', ...environment });
      stops.push(() => child.kill());
      return child;
    },
    /** Ends the leases of all current claims, as the passage of time would. */
    async endLeases(): Promise<void> {
      await admin.query('update webhooks.delivery set claim_until = now() where claim_token is not null');
    },
    async addEndpoint(
      url: string,
      eventTypes: string[] = [],
      accountId: string = newId(),
    ): Promise<RegisteredEndpoint> {
      const outcome = await write((trx) =>
        createEndpoint(trx, { accountId, url, description: '', eventTypes }, secretBox),
      );
      if (outcome.kind !== 'created') throw new Error(outcome.kind);
      return { accountId, id: outcome.endpoint.id, secret: outcome.secret };
    },
    /** Updates the endpoint as the account does through the gateway. */
    updateEndpoint({ accountId, id }: Pick<RegisteredEndpoint, 'accountId' | 'id'>, patch: EndpointPatch) {
      const input = { accountId, endpointId: id, patch };
      return write((trx, hints) => updateEndpoint(trx, hints, input, secretBox));
    },
    /** Emits `session.ended`; returns the delivery ids. */
    async emit(accountId: string, id: string = newId()): Promise<readonly string[]> {
      const data = EVENT_TYPES['session.ended'].example as unknown as EventData<'session.ended'>;
      const event = { type: 'session.ended' as const, id, accountId, occurredAt: new Date(), data };
      const outcome = await write((trx, hints) => emitEvent(trx, hints, event, { maxPendingPerAccount: 10_000 }));
      if (outcome.kind !== 'emitted') throw new Error(outcome.kind);
      return outcome.deliveryIds;
    },
    /** Emits an event of any type: its example with changed fields. Returns the delivery ids. */
    async emitChanged<T extends EventType>(accountId: string, type: T, fields: object): Promise<readonly string[]> {
      const data = { ...EVENT_TYPES[type].example, ...fields } as unknown as EventData<T>;
      const event = { type, id: newId(), accountId, occurredAt: new Date(), data };
      const outcome = await write((trx, hints) => emitEvent(trx, hints, event, { maxPendingPerAccount: 10_000 }));
      if (outcome.kind !== 'emitted') throw new Error(outcome.kind);
      return outcome.deliveryIds;
    },
    list: (filter: DeliveryFilter): Promise<Delivery[]> =>
      listDeliveries(gateway.db, filter, { beforeId: undefined, limit: 1000 }),
    async read(accountId: string, deliveryId: string) {
      const found = await readDelivery(gateway.db, { accountId }, deliveryId);
      if (found === undefined) throw new Error('no such delivery');
      return found;
    },
    /** Stops everything that a test started; the servers are retained for the next test. */
    async stopDispatchers() {
      await Promise.all(stops.splice(0).map((stop) => stop()));
    },
    async close() {
      await Promise.all(stops.splice(0).map((stop) => stop()));
      await broker.close();
      await gateway.close();
      await admin.end();
      await testBroker.stop();
      await testDatabase.drop();
    },
  };
}
