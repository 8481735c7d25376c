import type { AnyDatabase, DueTasks } from '@steward/database';
import type { Component, Logger } from '@steward/process';
import { DUE_BACKTESTS, postponeBacktest, runBacktestBatch } from '@steward/policies';
import { listToolCalls, type ContentObjects, type ToolCallRange } from '@steward/sessions';

export interface BacktestLoopDeps {
  readonly db: AnyDatabase;
  /** Object store with large calls; undefined if the deployment has none. */
  readonly contentObjects: ContentObjects | undefined;
  readonly logger: Logger;
  readonly dueTasks: DueTasks;
}

/**
 * Time limit of one transaction: its row lock and its snapshot are held for at most this time plus the time of one
 * call.
 */
const BATCH_MS = 1_000;

/**
 * Creates the loop that runs backtests over recorded calls, batch by batch. The loop runs in every process that serves
 * the API; a process claims a batch by locking the row of the backtest.
 */
export function createBacktestLoop({ db, contentObjects, logger, dueTasks }: BacktestLoopDeps): Component {
  const listCalls = (from: AnyDatabase, range: ToolCallRange) => listToolCalls(from, range, contentObjects);

  async function run(signal: AbortSignal): Promise<void> {
    let id: string | undefined;
    try {
      let isIdle = false;
      while (!isIdle && !signal.aborted) {
        id = undefined;
        const endsAt = performance.now() + BATCH_MS;
        const isSpent = (): boolean => signal.aborted || performance.now() >= endsAt;
        const step = await runBacktestBatch({ db, listCalls, isSpent }, (begun) => (id = begun));
        isIdle = step.kind === 'idle';
        if (step.kind === 'advanced' && step.isFinished) logger.info('policies.backtest_finished', { backtest_id: id });
      }
    } catch (error) {
      logger.error('policies.backtest_failed', { backtest_id: id, error });
      if (id !== undefined) await postponeBacktest(db, id).catch(() => undefined);
    }
  }
  return dueTasks.add({ name: 'backtests', due: DUE_BACKTESTS, run });
}
