import { beginTrace, newId } from '@steward/crypto';
import { APP_ROLES, transact, type AppRole, type Database } from '@steward/database';
import { openClone } from '@steward/database/testing';
import type { Logger } from '@steward/process';
import { registerAccount } from '@steward/identity';
import { appendSessionContent, upsertRuntimeSession, type SessionWriteOptions } from '@steward/sessions';
import { useOpened } from '@steward/testing';

const broker = { publishHint: () => undefined };

export const INDEXED: SessionWriteOptions = { indexEnabled: true, captureContent: true, maxPendingPerAccount: 10 };
/** Options for content that was stored while indexing was off. */
export const UNINDEXED: SessionWriteOptions = { ...INDEXED, indexEnabled: false };

/** Content of one session, which has one tool call and its own day in October 2026. */
export interface StoredSession {
  readonly title?: string;
  readonly toolCall: { readonly arguments: object; readonly result?: string };
}

export interface SweeperTests {
  /** The database as its owner. */
  readonly admin: Database;
  urlForRole(role: AppRole): string;
  /** Dependencies of a pass, under the sweeper's own role. */
  readonly deps: {
    readonly db: Database['db'];
    readonly broker: typeof broker;
    readonly logger: Logger;
  };
  /** Creates an account with a session per day; returns its id. */
  storeSessions(
    count: number,
    options: SessionWriteOptions,
    describe: (index: number) => StoredSession,
  ): Promise<string>;
}

/** Opens a database for the tests of a file. */
export function useSweeper(): SweeperTests {
  let sweeper: Database;
  let accounts = 0;
  const clone = useOpened(async () => {
    const opened = await openClone({ poolSize: 5 });
    sweeper = opened.connectAs(APP_ROLES.backfillSweeper);
    return opened;
  });

  return {
    get admin() {
      return clone().admin;
    },
    urlForRole: (role) => clone().urlForRole(role),
    get deps() {
      return { db: sweeper.db, broker, logger: clone().logger };
    },
    async storeSessions(count, options, describe) {
      accounts += 1;
      const name = `u${accounts}`;
      return transact({ db: clone().admin.db, broker, traceparent: beginTrace() }, async (trx, hints) => {
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
