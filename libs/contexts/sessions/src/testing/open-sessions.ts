import { sql } from 'kysely';
import type { MessageName } from '@steward/contracts';
import type { HintSink } from '@steward/contracts';
import { beginTrace, newId } from '@steward/crypto';
import { APP_ROLES, transact, type AnyTransaction, type AppRole, type Database } from '@steward/database';
import { openClone } from '@steward/database/testing';
import type { SessionWriteOptions } from '../sessions/runtime-session.ts';
import { upsertRuntimeSession, type UpsertRuntimeSessionInput } from '../sessions/operations/upsert-runtime-session.ts';

export const WRITE_OPTIONS: SessionWriteOptions = {
  indexEnabled: true,
  captureContent: true,
  maxPendingPerAccount: 100,
};

export interface TestSessions {
  /** The database as used by an app, with the app's role. */
  readonly database: Database;
  readonly hints: MessageName[];
  run<T>(work: (trx: AnyTransaction, hints: HintSink) => Promise<T>): Promise<T>;
  /** The same database, used with another app's role. */
  connectAs(role: AppRole): Database;
  /** Opens a session, by default in a new account. */
  openSession(input?: Partial<UpsertRuntimeSessionInput>): Promise<{ accountId: string; sessionId: string }>;
  /** Runs a query as superuser, to check the stored rows. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Adds a webhook endpoint for the account's events. */
  addEndpoint(accountId: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens the context on a cloned database with the gateway's role. */
export async function openTestSessions(): Promise<TestSessions> {
  const { admin, connectAs, close } = await openClone();
  const database = connectAs(APP_ROLES.apiGateway);
  const hints: MessageName[] = [];
  const deps = { db: database.db, broker: { publishHint: (name: MessageName) => void hints.push(name) } };
  const run: TestSessions['run'] = (work) => transact({ ...deps, traceparent: beginTrace() }, work);
  return {
    database,
    hints,
    run,
    connectAs,
    async openSession(input = {}) {
      const accountId = input.accountId ?? newId();
      const full = { sessionSourceType: 'test', sessionSourceId: newId(), now: new Date(), ...input, accountId };
      const { session } = await run((trx, sink) => upsertRuntimeSession(trx, sink, full, WRITE_OPTIONS));
      return { accountId, sessionId: session.id };
    },
    async query<Row>(text: string, values: readonly unknown[] = []) {
      const result = await admin.pool.query(text, [...values]);
      return result.rows as Row[];
    },
    async addEndpoint(accountId) {
      await sql`
        insert into webhooks.endpoint (id, account_id, url) values (${newId()}, ${accountId}, 'https://receiver.example/')
      `.execute(admin.db);
      await sql`insert into webhooks.outbox_counter (account_id) values (${accountId})`.execute(admin.db);
      await sql`
        insert into webhooks.outbox_shard (account_id, shard) select ${accountId}::uuid, generate_series(0, 7)
      `.execute(admin.db);
    },
    close,
  };
}
