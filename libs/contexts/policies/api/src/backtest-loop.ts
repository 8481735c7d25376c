import type { AnyDatabase } from '@steward/database';
import type { Component, Logger } from '@steward/process';
import { postponeBacktest, runBacktestBatch } from '@steward/policies';
import { listToolCalls, type ContentObjects, type ToolCallRange } from '@steward/sessions';

export interface BacktestLoopDeps {
  readonly db: AnyDatabase;
  /** Object store with large calls; undefined if the deployment has none. */
  readonly contentObjects: ContentObjects | undefined;
  readonly logger: Logger;
}

/** Interval of checks for new backtests; the check reads a partial index. */
const POLL_MS = 1_000;
/** Time limit of one transaction: its row lock and its snapshot are held for at most this time plus one call. */
const BATCH_MS = 1_000;

/**
 * Runs backtests over recorded calls, batch by batch. Runs in every process that serves the API: a batch is claimed by
 * locking its row.
 */
export function createBacktestLoop({ db, contentObjects, logger }: BacktestLoopDeps, pollMs = POLL_MS): Component {
  const listCalls = (from: AnyDatabase, range: ToolCallRange) => listToolCalls(from, range, contentObjects);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function runPass(): Promise<void> {
    let id: string | undefined;
    try {
      let isIdle = false;
      while (!isIdle && !isStopped) {
        id = undefined;
        const endsAt = performance.now() + BATCH_MS;
        const isSpent = (): boolean => isStopped || performance.now() >= endsAt;
        const step = await runBacktestBatch({ db, listCalls, isSpent }, (begun) => (id = begun));
        isIdle = step.kind === 'idle';
        if (step.kind === 'advanced' && step.isFinished) logger.info('policies.backtest_finished', { backtest_id: id });
      }
    } catch (error) {
      logger.error('policies.backtest_failed', { backtest_id: id, error });
      if (id !== undefined) await postponeBacktest(db, id).catch(() => undefined);
    }
  }
  const schedule = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => (running = runPass().finally(schedule)), pollMs);
  };
  return {
    name: 'backtest loop',
    start: schedule,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
