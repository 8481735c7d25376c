import { beginTrace, newId } from '@steward/crypto';
import { APP_ROLES, createDatabase, transact, type Database } from '@steward/database';
import { createLogger } from '@steward/process';
import { registerAccount } from '@steward/slice-identity';
import { appendSessionContent, upsertRuntimeSession, type SessionWriteOptions } from '@steward/slice-sessions';
import { createTestDatabase, type TestDatabase } from '@steward/testing';

const broker = { publishHint: () => undefined };

export const INDEXED: SessionWriteOptions = { indexEnabled: true, captureContent: true, maxPendingPerAccount: 10 };
/** As content was stored while indexing was off. */
export const UNINDEXED: SessionWriteOptions = { ...INDEXED, indexEnabled: false };

/** What one session holds besides its one tool call, on its day of October 2026. */
export interface StoredSession {
  readonly title?: string;
  readonly toolCall: { readonly arguments: object; readonly result?: string };
}

export interface SweeperTests {
  /** The database as its owner. */
  readonly admin: Database;
  urlForRole(role: string): string;
  /** What a pass takes, under the sweeper's own role. */
  readonly deps: {
    readonly db: Database['db'];
    readonly broker: typeof broker;
    readonly logger: ReturnType<typeof createLogger>;
  };
  /** A new account with a session a day; answers its id. */
  storeSessions(
    count: number,
    options: SessionWriteOptions,
    describe: (index: number) => StoredSession,
  ): Promise<string>;
}

/** A database for the tests of a file. */
export function useSweeper(): SweeperTests {
  let testDatabase: TestDatabase;
  let admin: Database;
  let sweeper: Database;
  let accounts = 0;
  const logger = createLogger({ service: 'test', level: 'error', pretty: false });

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const open = (url: string) => createDatabase({ url, applicationName: 'test', poolSize: 5, logger });
    admin = open(testDatabase.url);
    sweeper = open(testDatabase.urlForRole(APP_ROLES.backfillSweeper));
  });
  afterAll(async () => {
    await admin.close();
    await sweeper.close();
    await testDatabase.drop();
  });

  return {
    get admin() {
      return admin;
    },
    urlForRole: (role) => testDatabase.urlForRole(role),
    get deps() {
      return { db: sweeper.db, broker, logger };
    },
    async storeSessions(count, options, describe) {
      accounts += 1;
      const name = `u${accounts}`;
      return transact({ db: admin.db, broker, traceparent: beginTrace() }, async (trx, hints) => {
        const person = { username: name, email: `${name}@x.test`, passwordHash: null, fullName: null };
        const created = await registerAccount(trx, person, 'oss');
        if (created.kind !== 'created') throw new Error(created.kind);
        const { accountId } = created.user;
        for (let index = 0; index < count; index += 1) {
          const now = new Date(Date.UTC(2026, 9, 1 + index));
          const { toolCall, ...session } = describe(index);
          const opened = {
            accountId,
            sessionSourceType: 't',
            sessionSourceId: newId(),
            startedAt: now,
            now,
            ...session,
          };
          const { session: stored } = await upsertRuntimeSession(trx, hints, opened, options);
          const entry = { kind: 'tool_call', toolName: 'sh', occurredAt: now, ...toolCall } as const;
          const content = { accountId, sessionId: stored.id, entries: [entry], now };
          await appendSessionContent(trx, hints, content, options);
        }
        return accountId;
      });
    },
  };
}
