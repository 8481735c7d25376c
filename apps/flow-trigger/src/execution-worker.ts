import type { Broker } from '@steward/broker';
import { transact } from '@steward/database';
import { createBackgroundTask, type Component, type Metrics } from '@steward/runtime';
import { failLostExecution, findNextWaiting, listStalePending, purgeIdempotencyKeys } from '@steward/slice-flows';
import { purgeEvidence } from './evidence/purge-evidence.ts';
import { runExecution, type RunDeps } from './run-execution.ts';
import { createSlots } from './slots.ts';
import { discardWorkspace } from './steps/prepare-workspace.ts';

export interface ExecutionWorkerOptions {
  readonly concurrency: number;
  readonly reconcileSeconds: number;
  /** How long running executions may take to finish when the worker stops; then their agents are ended. */
  readonly drainSeconds: number;
}

/** An execution that waited this long has probably lost its message (decisions.md section 6: picked up within 30 s). */
const STALE_AFTER_SECONDS = 10;
const PURGE_BATCH = 5000;
const PURGE_EVIDENCE_SECONDS = 3600;

/** Runs accepted executions: woken by `trigger-accepted`, with a reconciler behind it for what no message announced. */
export function createExecutionWorker(
  deps: RunDeps & { readonly broker: Pick<Broker, 'consume' | 'publishHint'>; readonly metrics: Metrics },
  options: ExecutionWorkerOptions,
): { readonly components: Component[]; readonly activity: () => Readonly<Record<string, unknown>> } {
  const slots = createSlots(options.concurrency);
  const taken = new Map<string, Promise<void>>();
  const shutdown = new AbortController();
  let isDraining = false;
  let ran = 0;
  const finished = deps.metrics.counter('steward_executions_run_total', 'Executions this worker took.');
  const gauge = deps.metrics.gauge('steward_executions_running', 'Executions running now.');

  /** Runs one execution when a slot is free. What its account has no room for goes on waiting. */
  function take(executionId: string): Promise<void> {
    const already = taken.get(executionId);
    if (already !== undefined) return already;
    const work = takeInSlot(executionId).finally(() => taken.delete(executionId));
    taken.set(executionId, work);
    return work;
  }

  async function takeInSlot(executionId: string): Promise<void> {
    const release = await slots.acquire();
    gauge.set(slots.used());
    try {
      // It stays PENDING; another worker finds it.
      if (isDraining) return;
      const outcome = await runExecution(deps, executionId, shutdown.signal);
      if (outcome.kind !== 'ran') return;
      ran += 1;
      finished.inc();
      await takeNextOf(outcome.accountId);
    } finally {
      release();
      gauge.set(slots.used());
    }
  }

  /** The place an execution leaves goes to its account's next one, whose message may have found the account busy. */
  async function takeNextOf(accountId: string): Promise<void> {
    if (isDraining) return;
    const next = await findNextWaiting(deps.db, accountId);
    if (next !== undefined) takeInBackground(next);
  }

  /** Not awaited: an hour-long run must hold up neither the slot before it nor the next look. */
  function takeInBackground(executionId: string): void {
    void take(executionId).catch((error: unknown) =>
      deps.logger.error('execution.not_taken', { execution_id: executionId, error }),
    );
  }

  async function reconcile(): Promise<void> {
    await endLostExecutions();
    const free = options.concurrency - slots.used();
    if (free > 0 && !isDraining) {
      const look = { olderThanSeconds: STALE_AFTER_SECONDS, accountLimit: deps.accountLimit, limit: free };
      for (const executionId of await listStalePending(deps.db, look)) takeInBackground(executionId);
    }
    await purgeIdempotencyKeys(deps.db, deps.clock.now(), PURGE_BATCH);
  }

  async function endLostExecutions(): Promise<void> {
    while (!shutdown.signal.aborted) {
      const lost = await transact(deps, (trx, hints) => failLostExecution(trx, hints, deps.clock.now(), deps.options));
      if (lost === undefined) return;
      deps.logger.warn('execution.lease_lost', {
        execution_id: lost.id,
        account_id: lost.account_id,
        worker: lost.worker_id,
      });
      // Should it have run on this machine; elsewhere there is nothing to find.
      await deps.runner.discard(lost.id);
      await discardWorkspace(deps.workDirectory, lost.id);
      await takeNextOf(lost.account_id);
    }
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
      isDraining = true;
      const timer = setTimeout(() => shutdown.abort(), options.drainSeconds * 1000);
      // Messages whose handler is still running stay unacknowledged until the run ended one way or the other.
      await consumption?.stop(options.drainSeconds * 1000 + 5000);
      await Promise.allSettled(taken.values());
      clearTimeout(timer);
      deps.runner.stop();
    },
  };
  const reconciler = createBackgroundTask({
    name: 'execution reconciler',
    everySeconds: options.reconcileSeconds,
    logger: deps.logger,
    run: reconcile,
  });
  const purger = createBackgroundTask({
    name: 'evidence purge',
    everySeconds: PURGE_EVIDENCE_SECONDS,
    logger: deps.logger,
    run: async () => {
      const { directory, retentionHours } = deps.evidence;
      const purged = await purgeEvidence(directory, retentionHours, deps.clock.now());
      if (purged > 0) deps.logger.info('evidence.purged', { archives: purged });
    },
  });
  return {
    components: [reconciler, purger, consumer],
    activity: () => ({ executions_running: slots.used(), executions_taken: ran }),
  };
}
