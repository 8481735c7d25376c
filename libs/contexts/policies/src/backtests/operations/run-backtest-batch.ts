import type { RecordedToolCall } from '@steward/contracts';
import { transact, type AnyDatabase } from '@steward/database';
import { compilePolicy } from '../../decision/rules/compile-policy.ts';
import { requireVersion } from '../../versions/operations/read-policy.ts';
import { startCounts, type ComparedPolicies } from '../rules/tally-calls.ts';
import { tallyBatch } from './tally-batch.ts';
import { lockDueBacktest, saveBatch, type LockedBacktest } from '../store/backtest.store.ts';

export interface BacktestDeps {
  readonly db: AnyDatabase;
  /** Lists calls, newest first; if `before` is given, only calls that are older. */
  readonly listCalls: (
    db: AnyDatabase,
    range: {
      readonly accountId: string;
      readonly since: Date;
      readonly until: Date;
      readonly before: { readonly at: Date; readonly id: string } | undefined;
      readonly limit: number;
    },
  ) => Promise<readonly RecordedToolCall[]>;
  /**
   * Called after each call: returns true if the batch should end here, because it has taken long enough or the process
   * is stopping.
   */
  readonly isSpent: () => boolean;
}

export type BacktestStep =
  { readonly kind: 'idle' } | { readonly kind: 'advanced'; readonly id: string; readonly isFinished: boolean };

/** Maximum number of calls per transaction; it is low, because each call may have 256 KiB of arguments. */
const BATCH_CALLS = 50;

/**
 * Runs the next calls of the backtest that has waited longest. Results are committed together with the position of the
 * next batch: if a process dies, another one repeats the batch, and no call is counted twice.
 */
export async function runBacktestBatch(
  { db, listCalls, isSpent }: BacktestDeps,
  onBegun: (id: string) => void,
): Promise<BacktestStep> {
  return transact({ db }, async (trx) => {
    const backtest = await lockDueBacktest(trx);
    if (backtest === undefined) return { kind: 'idle' };
    const { id, accountId, since, until, before, limit, examined } = backtest;
    onBegun(id);
    const room = Math.min(BATCH_CALLS, limit - examined);
    const calls = await listCalls(trx, { accountId, since, until, before, limit: room });
    const policies = await readPolicies(trx, backtest);
    const from = examined === 0 ? { ...backtest, counts: startCounts(policies) } : backtest;
    const { sums, tried } = await tallyBatch(from, calls, policies, isSpent);
    const last = calls[tried - 1];
    const isFinished = (tried === calls.length && calls.length < room) || examined + tried >= limit;
    const next = last === undefined ? before : { at: last.occurredAt, id: last.id };
    await saveBatch(trx, id, { sums, before: next, isFinished });
    return { kind: 'advanced', id, isFinished };
  });
}

/**
 * Returns the policies to compare. Another document is compared with the version in force; the version in force itself
 * is compared with the recorded outcomes, which all count as `allow`.
 */
async function readPolicies(
  db: AnyDatabase,
  { accountId, document, version }: LockedBacktest,
): Promise<ComparedPolicies> {
  const inForce = compilePolicy((await requireVersion(db, accountId, version)).document, version);
  if (document === null) return { before: undefined, after: inForce };
  return { before: inForce, after: compilePolicy(document, 0) };
}
