import { createTurns, retry } from '@steward/async';
import { isUntoldCrossing } from '@steward/budgets';
import { isTransientDatabaseError, transact } from '@steward/database';
import { createAccountQueues } from './account-queues.ts';
import { bookCalls, type EndedRow } from './book-calls.ts';
import { createFlushes } from './create-flushes.ts';
import { createJointQueue } from './joint-queue.ts';
import type { ModelCallsDeps, TracedDeps } from './create-model-calls.ts';
import { bookAtOnce } from './store/ledger.store.ts';

/** Maximum time that an ended call waits to be recorded: a day, which is practically unlimited. */
const END_TIMEOUT_MS = 86_400_000;
/** Maximum number of calls per statement, which locks the ledgers of their accounts. */
const MAX_TOGETHER = 200;
/**
 * Number of statements that may leave out a call because the ledger of its account is locked; together they take about
 * a second.
 */
const ATTEMPTS = 20;
/**
 * Maximum number of concurrent statements that wait for a locked ledger. It is low, because new calls need connections,
 * too.
 */
const MAX_ENDING = 2;
/** Delays between attempts: a quarter of an hour in total, so that the database can recover before the last attempt. */
const RETRY_DELAYS_MS = [50, 200, 1000, 2000, ...Array<number>(180).fill(5000)];

/**
 * Records ended calls; the waiting calls of all accounts are recorded together. If the calls of an account cannot be
 * recorded together with others, for example because the ledger of the account is locked, they are recorded separately,
 * so that accounts do not wait for each other.
 */
export function createEndings(deps: ModelCallsDeps, trace: () => TracedDeps) {
  const flushes = createFlushes(deps.db);
  const turns = createTurns(MAX_ENDING);
  async function record(accountId: string, rows: readonly EndedRow[]): Promise<void> {
    try {
      await bookAtOnce(deps.db, rows, { waits: true });
    } catch (error) {
      if (!isUntoldCrossing(error)) throw error;
      const ended = { accountId, rows, now: deps.clock.now() };
      await transact(trace(), (trx, hints) => bookCalls(trx, hints, ended, deps.options));
    }
  }
  const apart = createAccountQueues<EndedRow, void>({
    maxWaiting: Infinity,
    timeoutMs: END_TIMEOUT_MS,
    run: async (accountId, rows) => {
      const [row] = rows;
      if (row === undefined) return [];
      // If the database server crashes before the flush, it may lose the commit. The rows are then recorded again,
      // which never records a call twice.
      const recordForGood = () => turns.run(() => record(accountId, rows)).then(() => flushes.add(row));
      await retry(recordForGood, { delaysMs: RETRY_DELAYS_MS, mayRetry: isTransientDatabaseError });
      return rows.map(() => undefined);
    },
  });
  const together = createJointQueue<EndedRow, true>({
    async run(accounts) {
      const rows = [...accounts.values()].flat();
      const booked = await bookAtOnce(deps.db, rows, { waits: false });
      const row = rows.find(({ accountId }) => booked.has(accountId));
      if (row !== undefined) await flushes.add(row);
      return new Map([...booked].map((id) => [id, (accounts.get(id) ?? []).map(() => true)]));
    },
    runApart: async (accountId, row) => {
      await apart.add(accountId, row);
      return true;
    },
    mayRunApart: () => true,
    attempts: ATTEMPTS,
    maxItems: MAX_TOGETHER,
    maxWaiting: Infinity,
    timeoutMs: END_TIMEOUT_MS,
  });
  return {
    add: async (row: EndedRow): Promise<void> => void (await together.add(row.accountId, row)),
    drain: () => together.drain(),
  };
}
