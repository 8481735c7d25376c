import type { Broker } from '@steward/broker';
import { transact } from '@steward/database';
import { createBackgroundTask, type Component, type Metrics } from '@steward/runtime';
import { failLostExecution, listStalePending, purgeIdempotencyKeys } from '@steward/slice-flows';
import { runExecution, type RunDeps } from './run-execution.ts';

export interface ExecutionWorkerOptions {
  readonly concurrency: number;
  readonly reconcileSeconds: number;
  /** How long running executions may take to finish when the worker stops; then their agents are ended. */
  readonly drainSeconds: number;
}

/** An execution that waited this long has probably lost its message (decisions.md section 6: picked up within 30 s). */
const STALE_AFTER_SECONDS = 10;
const PURGE_BATCH = 5000;

/** Runs accepted executions: woken by `trigger-accepted`, with a reconciler behind it for what no message announced. */
export function createExecutionWorker(
  deps: RunDeps & { readonly broker: Pick<Broker, 'consume' | 'publishHint'>; readonly metrics: Metrics },
  options: ExecutionWorkerOptions,
): { readonly components: Component[]; readonly activity: () => Readonly<Record<string, unknown>> } {
  const running = new Map<string, Promise<boolean>>();
  const shutdown = new AbortController();
  const finished = deps.metrics.counter('steward_executions_run_total', 'Executions this worker took.');
  const gauge = deps.metrics.gauge('steward_executions_running', 'Executions running now.');
  let taken = 0;

  async function take(executionId: string): Promise<void> {
    if (running.has(executionId)) return;
    const run = runExecution(deps, executionId, shutdown.signal);
    running.set(executionId, run);
    gauge.set(running.size);
    try {
      if (await run) {
        taken += 1;
        finished.inc();
      }
    } finally {
      running.delete(executionId);
      gauge.set(running.size);
    }
  }

  async function reconcile(): Promise<void> {
    while (!shutdown.signal.aborted) {
      const lost = await transact(deps, (trx, hints) => failLostExecution(trx, hints, deps.clock.now(), deps.options));
      if (lost === undefined) break;
      deps.logger.warn('execution.lease_lost', {
        execution_id: lost.id,
        account_id: lost.account_id,
        worker: lost.worker_id,
      });
    }
    const free = options.concurrency - running.size;
    if (free > 0) {
      // Not awaited: an hour-long run must not hold up the next look.
      for (const stale of await listStalePending(deps.db, STALE_AFTER_SECONDS, free)) {
        void take(stale.id).catch((error: unknown) =>
          deps.logger.error('execution.not_taken', { execution_id: stale.id, error }),
        );
      }
    }
    await purgeIdempotencyKeys(deps.db, deps.clock.now(), PURGE_BATCH);
  }

  let consumption: { stop(deadlineMs: number): Promise<boolean> } | undefined;
  const consumer: Component = {
    name: 'execution consumer',
    start() {
      consumption = deps.broker.consume('trigger-accepted', (payload) => take(payload.execution_id), {
        concurrency: options.concurrency,
      });
    },
    async stop() {
      const timer = setTimeout(() => shutdown.abort(), options.drainSeconds * 1000);
      // Messages whose handler is still running stay unacknowledged until the run ended one way or the other.
      await consumption?.stop(options.drainSeconds * 1000 + 5000);
      await Promise.allSettled(running.values());
      clearTimeout(timer);
    },
  };
  const reconciler = createBackgroundTask({
    name: 'execution reconciler',
    everySeconds: options.reconcileSeconds,
    logger: deps.logger,
    run: reconcile,
  });
  return {
    components: [reconciler, consumer],
    activity: () => ({ executions_running: running.size, executions_taken: taken }),
  };
}
