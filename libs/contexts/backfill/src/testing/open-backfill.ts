import { beginTrace, newId } from '@steward/crypto';
import { APP_ROLES, transact } from '@steward/database';
import { openClone } from '@steward/database/testing';
import {
  appendSessionContent,
  updateRuntimeSession,
  upsertRuntimeSession,
  type SessionContentEntry,
  type SessionWriteOptions,
} from '@steward/sessions';
import { advanceWalk, type WalkRequest } from '../operations/advance-walk.ts';
import { readCoverage } from '../operations/read-coverage.ts';
import { findWatermark, tryLockAccount, type AccountWork } from '../store/watermark.store.ts';
import type { WalkBudget } from '../walk-budget.ts';

export const INDEXED: SessionWriteOptions = { indexEnabled: true, captureContent: true, maxPendingPerAccount: 10 };
/** Options for content that is stored while indexing is off. */
export const UNINDEXED: SessionWriteOptions = { ...INDEXED, indexEnabled: false };

/** Returns a day in October 2026. */
export const at = (day: number): Date => new Date(Date.UTC(2026, 9, day));

/** Creates a budget of a number of rows; once they are used up, it reports the given reason. */
export function createBudget(rows = Number.POSITIVE_INFINITY, reason: 'account_rows' | 'pass_rows' = 'account_rows') {
  let left = rows;
  let spent = 0;
  const budget: WalkBudget & { readonly spent: number } = {
    spend(more) {
      left -= more;
      spent += more;
    },
    left: () => Math.max(0, left),
    isUntouched: () => spent === 0,
    exhausted: (more = 1) => (more > 0 && more > left ? reason : undefined),
    get spent() {
      return spent;
    },
  };
  return budget;
}

export interface StoredSession {
  readonly title?: string;
  /** Number of tool calls; default: one. */
  readonly calls?: number;
  readonly entries?: readonly SessionContentEntry[];
  /** Time of the write; default: the day of the session. */
  readonly now?: Date;
}

export type OpenBackfill = Awaited<ReturnType<typeof openBackfill>>;

/** Opens a cloned database with the sweeper's role; returns the steps that most tests need. */
export async function openBackfill() {
  const { admin, connectAs, close } = await openClone({ poolSize: 6 });
  const sweeper = connectAs(APP_ROLES.backfillSweeper);
  const hints: object[] = [];
  const broker = { publishHint: (_name: string, payload: object) => void hints.push(payload) };
  const deps = { db: sweeper.db, broker };

  const addAccount = (accountId: string) =>
    admin.pool.query(`insert into gateway.account (id, name) values ($1, 'test') on conflict do nothing`, [accountId]);

  return {
    admin,
    sweeper,
    deps,
    hints,
    /** Stores one session per day from the 1st of October; returns their ids. */
    async store(
      accountId: string,
      sessions: readonly StoredSession[],
      options: SessionWriteOptions = UNINDEXED,
    ): Promise<string[]> {
      return transact({ db: admin.db, broker, traceparent: beginTrace() }, async (trx, sink) => {
        const ids: string[] = [];
        for (const [index, { title, calls = 1, entries, now = at(1 + index) }] of sessions.entries()) {
          const startedAt = at(1 + index);
          const opened = { accountId, sessionSourceType: 't', sessionSourceId: newId(), startedAt, now };
          const { session } = await upsertRuntimeSession(
            trx,
            sink,
            { ...opened, ...(title === undefined ? {} : { title }) },
            options,
          );
          const own = Array.from({ length: calls }, (_, call) => ({
            kind: 'tool_call' as const,
            toolName: 'sh',
            arguments: { command: `step ${index} ${call}` },
            occurredAt: new Date(startedAt.getTime() + call),
          }));
          const content = { accountId, sessionId: session.id, entries: entries ?? own, now };
          if (content.entries.length > 0) await appendSessionContent(trx, sink, content, options);
          ids.push(session.id);
        }
        return ids;
      });
    },
    rename: (accountId: string, sessionId: string, title: string, options: SessionWriteOptions = UNINDEXED) =>
      transact({ db: admin.db, broker, traceparent: beginTrace() }, (trx, sink) =>
        updateRuntimeSession(trx, sink, { accountId, sessionId, title, now: new Date() }, options),
      ),
    async walk(accountId: string, request: Partial<WalkRequest> = {}) {
      await addAccount(accountId);
      return advanceWalk(deps, {
        accountId,
        horizon: undefined,
        traceparent: beginTrace(),
        budget: createBudget(),
        signal: new AbortController().signal,
        ...request,
      });
    },
    /** Runs `work` while another process locks the account. */
    whileHeld: (accountId: string, held: AccountWork, work: () => Promise<void>): Promise<void> =>
      transact(admin, async (trx) => {
        if (!(await tryLockAccount(trx, accountId, held))) throw new Error('somebody holds it already');
        await work();
      }),
    coverage: (accountId: string) => readCoverage(sweeper.db, accountId),
    watermark: (accountId: string) => findWatermark(sweeper.db, accountId),
    /** Returns the corpus, without ids and creation times. */
    async chunks(accountId: string) {
      const found = await admin.pool.query(
        `select source_kind, chunk_index, chunk_count, occurred_at, role, content, redaction_state, start_offset, end_offset,
           model_alias, provider_name, status
         from search.chunk where account_id = $1 order by occurred_at, source_kind, content, chunk_index`,
        [accountId],
      );
      return found.rows as { source_kind: string; content: string; redaction_state: string; occurred_at: Date }[];
    },
    close,
  };
}
