import type { Broker } from '@steward/broker';
import { beginTrace, describeTrace } from '@steward/crypto';
import { transact } from '@steward/database';
import { createBackgroundTask, type Component, type Metrics } from '@steward/process';
import { failLostExecution, purgeIdempotencyKeys } from '@steward/flows';
import { abortAfter } from '@steward/storage';
import { purgeEvidence } from '../evidence/purge-evidence.ts';
import { runNextExecution } from './run-execution.ts';
import { createRunMetrics } from './run-metrics.ts';
import type { RunDeps } from './run.ts';
import { createSlots, type Slots } from './slots.ts';
import { discardWorkspace } from '../workspace/prepare-workspace.ts';
import { removeLeftOvers } from '../workspace/remove-left-overs.ts';
import { createTurns, type Turns } from './turns.ts';

export interface ExecutionWorkerOptions {
  readonly reconcileSeconds: number;
  /** Time within which running executions can finish when the worker stops; after that, their agents are killed. */
  readonly stopGraceSeconds: number;
  /** Time for evidence uploads to finish after the agents were killed. */
  readonly storeGraceSeconds: number;
}

type WorkerDeps = Omit<RunDeps, 'onFinished'> & {
  readonly broker: Pick<Broker, 'consume' | 'publishHint'>;
  readonly metrics: Metrics;
};

const PURGE_BATCH = 5000;
const PURGE_EVIDENCE_SECONDS = 3600;

/**
 * Runs accepted executions. A message only states that an execution waits, not which one runs next: the claim selects
 * the next execution, and shares the slots between the accounts. A reconciler finds executions for which no message
 * arrived.
 */
export class ExecutionWorker {
  readonly components: readonly Component[];
  readonly #deps: WorkerDeps & RunDeps;
  readonly #options: ExecutionWorkerOptions;
  readonly #slots: Slots;
  readonly #turns: Turns;
  readonly #gauge: ReturnType<Metrics['gauge']>;
  readonly #finished: ReturnType<Metrics['counter']>;
  /** Unfinished tasks, each of which waits for a slot or runs an execution. */
  readonly #works = new Set<Promise<void>>();
  /** Aborted when running executions have to end. */
  readonly #shutdown = new AbortController();
  #consumption: { stop(deadlineMs: number): Promise<boolean> } | undefined;
  #isDraining = false;
  #taken = 0;

  constructor(deps: WorkerDeps, options: ExecutionWorkerOptions) {
    // An evidence store that does not respond must not prevent an execution from ending.
    const evidenceEnd = abortAfter(this.#shutdown.signal, options.storeGraceSeconds * 1000);
    const onFinished = createRunMetrics(deps.metrics);
    this.#deps = { ...deps, onFinished, evidence: { ...deps.evidence, signal: evidenceEnd } };
    this.#options = options;
    this.#slots = createSlots(deps.places);
    this.#turns = createTurns(deps.clock);
    this.#finished = deps.metrics.counter('steward_executions_run_total', 'Executions started by this worker.');
    this.#gauge = deps.metrics.gauge('steward_executions_running', 'Executions running now.');
    this.components = [this.#buildReconciler(), this.#buildPurger(), this.#buildConsumer()];
  }

  activity(): Readonly<Record<string, unknown>> {
    return { executions_running: this.#slots.used(), executions_taken: this.#taken };
  }

  /** Runs the next execution when a slot is free. Executions over their account's limit keep waiting. */
  #take(): Promise<void> {
    const work = this.#takeInSlot().finally(() => this.#works.delete(work));
    this.#works.add(work);
    return work;
  }

  async #takeInSlot(): Promise<void> {
    const release = await this.#slots.acquire();
    this.#gauge.set(this.#slots.used());
    try {
      // While this worker stops, waiting executions stay PENDING, and other workers run them.
      if (this.#isDraining || !(await runNextExecution(this.#deps, this.#turns, this.#shutdown.signal))) return;
      this.#taken += 1;
      this.#finished.inc();
      // A message for a waiting execution may have arrived while no slot was free.
      this.#takeInBackground();
    } finally {
      release();
      this.#gauge.set(this.#slots.used());
    }
  }

  /**
   * Runs the next execution without waiting for its end: a run that takes an hour must neither occupy the slot of the
   * previous run nor delay the next claim.
   */
  #takeInBackground(): void {
    if (this.#isDraining) return;
    void this.#take().catch((error: unknown) => this.#deps.logger.error('execution.not_taken', { error }));
  }

  async #reconcile(): Promise<void> {
    const { db, logger, places } = this.#deps;
    await this.#endLostExecutions();
    const removed = await removeLeftOvers(this.#deps);
    if (removed > 0) logger.info('execution.left_overs_removed', { executions: removed });
    for (let free = places - this.#slots.used(); free > 0; free -= 1) this.#takeInBackground();
    await purgeIdempotencyKeys(db, PURGE_BATCH);
  }

  async #endLostExecutions(): Promise<void> {
    const { clock, logger, options, runner, workDirectory } = this.#deps;
    while (!this.#shutdown.signal.aborted) {
      const traced = { ...this.#deps, traceparent: beginTrace() };
      const lost = await transact(traced, (trx, hints) => failLostExecution(trx, hints, clock.now(), options));
      if (lost === undefined) return;
      logger.warn('execution.lease_lost', {
        execution_id: lost.id,
        account_id: lost.account_id,
        worker: lost.worker_id,
        ...describeTrace(lost.traceparent),
      });
      // Cleans up in case the execution ran on this machine.
      await runner.discard(lost.id);
      await discardWorkspace(workDirectory, lost.id);
      this.#takeInBackground();
    }
  }

  async #purgeEvidence(signal: AbortSignal): Promise<void> {
    const { clock, evidence, logger } = this.#deps;
    const { stores, retentionHours } = evidence;
    const purged = await purgeEvidence(stores, { retentionHours, now: clock.now(), signal });
    if (purged > 0) logger.info('evidence.purged', { archives: purged });
  }

  /** Lets running executions finish within the grace period, then ends them. */
  async #drain(): Promise<void> {
    const { logger } = this.#deps;
    const { stopGraceSeconds } = this.#options;
    this.#isDraining = true;
    const graceMs = stopGraceSeconds * 1000;
    const describe = () => ({ executions: this.#slots.used(), grace_seconds: stopGraceSeconds });
    if (this.#slots.used() > 0) logger.info('executions.finishing', describe());
    const timer = setTimeout(() => {
      if (this.#works.size > 0) logger.warn('executions.ended_by_stop', describe());
      this.#shutdown.abort();
    }, graceMs);
    // Messages whose handler is still running stay unacknowledged until the run has ended.
    await this.#consumption?.stop(graceMs + 5000);
    await Promise.allSettled(this.#works);
    clearTimeout(timer);
  }

  #buildConsumer(): Component {
    const { broker, places } = this.#deps;
    return {
      name: 'execution consumer',
      start: () => {
        this.#consumption = broker.consume('trigger-accepted', () => this.#take(), { concurrency: places });
      },
      stop: () => this.#drain(),
    };
  }

  #buildReconciler(): Component {
    return createBackgroundTask({
      name: 'execution reconciler',
      everySeconds: this.#options.reconcileSeconds,
      logger: this.#deps.logger,
      run: () => this.#reconcile(),
    });
  }

  #buildPurger(): Component {
    return createBackgroundTask({
      name: 'evidence purge',
      everySeconds: PURGE_EVIDENCE_SECONDS,
      logger: this.#deps.logger,
      run: (signal) => this.#purgeEvidence(signal),
    });
  }
}
