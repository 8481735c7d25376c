import { createSleeper, endsWithin, retry } from '@steward/async';
import { isTransientDatabaseError } from '@steward/database';
import type { Component } from '@steward/process';
import {
  claimBatches,
  confirmBatch,
  createSettledTime,
  returnBatch,
  type ClaimedBatch,
  type ClaimPlaces,
  type WorkSettings,
} from '@steward/search';
import { callProvider, type OutcomeDeps, type ProviderDeps } from './call-provider.ts';
import { OutcomeWriter, WRITE_DELAYS_MS } from './outcome-writer.ts';
import { ReadyBatches, type ReadyBatch } from './ready-batches.ts';

export interface LoopOptions {
  /** Maximum number of simultaneous calls. */
  readonly concurrency: number;
  readonly timeoutMs: number;
  /** Time for which `stop` waits for calls in progress. */
  readonly stopDeadlineMs: number;
}

export interface LoopDeps extends OutcomeDeps, Omit<ProviderDeps, 'signal' | 'timeoutMs'> {
  readonly work: Omit<WorkSettings, 'leaseSeconds' | 'random' | 'readSettledTime'>;
}

/**
 * Part of a lease in addition to the time for two calls (the batch's own call, and the call before it); half of it is
 * reserved for writing the outcome.
 */
const LEASE_MARGIN_MS = 30_000;
/** Maximum duration of a sleep: the message that would end it may have been lost in the crash of another process. */
const POLL_MS = 1000;
/** Minimum delay after a claim that found nothing, for example because other processes have locked the due accounts. */
const BUSY_MS = 15;
const LONGEST_FAULT_PAUSE_MS = 15_000;

/**
 * Keeps the maximum number of calls in progress: claims batches of any account in advance, while other batches are
 * being embedded or written. A batch is first ready, then called, then written; it ends with its outcome, or is
 * released.
 */
export class EmbeddingLoop implements Component {
  readonly name = 'embedding loop';
  readonly #deps: LoopDeps;
  readonly #options: LoopOptions;
  readonly #settings: WorkSettings;
  readonly #sleeper = createSleeper();
  readonly #cut = new AbortController();
  readonly #batches: ReadyBatches;
  readonly #writer: OutcomeWriter;
  readonly #running = new Set<Promise<void>>();
  #lookedAt = -Infinity;
  #stopping = false;
  #loop: Promise<void> | undefined;

  constructor(deps: LoopDeps, options: LoopOptions) {
    this.#deps = deps;
    this.#options = options;
    const leaseSeconds = (2 * options.timeoutMs + LEASE_MARGIN_MS) / 1000;
    this.#settings = { ...deps.work, leaseSeconds, random: deps.random, readSettledTime: createSettledTime() };
    this.#batches = new ReadyBatches(options.concurrency);
    this.#writer = new OutcomeWriter(deps);
  }

  /** Wakes the loop because there may be work; returns at once. */
  readonly nudge = (): void => this.#sleeper.wake();

  readonly readActivity = (): Readonly<Record<string, unknown>> => ({
    ...this.#deps.summary.readActivity(),
    calls_running: this.#batches.calling,
  });

  start(): void {
    this.#loop = this.#runLoop();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#sleeper.wake();
    await this.#loop;
    const unused = this.#batches.takeRest().map(({ batch }) => this.#release(batch));
    const ended = await endsWithin(Promise.all([...unused, ...this.#running]), this.#options.stopDeadlineMs);
    // The leases of aborted calls expire by themselves, and the possible cost of these calls is counted.
    if (!ended) this.#cut.abort();
    this.#deps.logger.info('embedding.stopped', { unfinished: ended ? 0 : this.#running.size });
  }

  async #runLoop(): Promise<void> {
    let faults = 0;
    while (!this.#stopping) {
      try {
        const sleepMs = await this.#claim();
        faults = 0;
        if (sleepMs > 0 && !this.#stopping) await this.#sleeper.sleep(sleepMs);
      } catch (error) {
        faults += 1;
        this.#deps.logger.warn('embedding.claim_failed', { faults, error });
        await this.#sleeper.sleep(Math.min(LONGEST_FAULT_PAUSE_MS, 100 * 2 ** Math.min(faults, 10)));
      }
    }
  }

  /** Claims batches, and returns the time until there may be more to claim. */
  async #claim(): Promise<number> {
    const startedAt = performance.now();
    const places = this.#describePlaces(startedAt);
    if (places === undefined) return POLL_MS;
    this.#lookedAt = startedAt;
    const claim = await claimBatches(this.#deps.db, this.#settings, places);
    if (claim.kind === 'nothing') return Math.min(POLL_MS, Math.max(BUSY_MS, claim.dueInMs ?? POLL_MS));
    if (claim.kind === 'looked') {
      this.#noteStop(claim);
      return 0;
    }
    const usableUntil = startedAt + this.#options.timeoutMs + LEASE_MARGIN_MS / 2;
    this.#batches.add(claim.batches.map((batch) => ({ batch, usableUntil, isOnlyDue: claim.isOnlyDue })));
    this.#pump();
    return 0;
  }

  /**
   * Describes the batches to claim now; returns undefined if none should be claimed. Nothing is claimed while at least
   * `2 * concurrency` batches are being embedded or written, or the maximum number of batches is ready. Otherwise,
   * batches are claimed if at most `concurrency / 2` batches are ready, or if `POLL_MS` has passed since the last
   * claim. If `concurrency` batches or more are ready, batches are claimed only for accounts that have not reached
   * their share.
   */
  #describePlaces(now: number): ClaimPlaces | undefined {
    if (this.#running.size >= 2 * this.#options.concurrency) return undefined;
    const places = this.#batches.describePlaces();
    const isLookDue = now - this.#lookedAt >= POLL_MS;
    return places !== undefined && (2 * places.room >= this.#options.concurrency || isLookDue) ? places : undefined;
  }

  #pump(): void {
    while (!this.#stopping) {
      const next = this.#batches.take();
      if (next === undefined) break;
      const work = this.#process(next).finally(() => {
        this.#running.delete(work);
        // If this was the last batch of its account, another account may now exceed its share of the slots.
        this.#pump();
        this.#sleeper.wake();
      });
      this.#running.add(work);
    }
    this.#deps.metrics.setRunning(this.#batches.calling);
  }

  /** Processes a batch, which holds a slot from its start until the response. */
  async #process({ batch, usableUntil }: ReadyBatch): Promise<void> {
    if (usableUntil < performance.now() || !(await this.#confirm(batch))) {
      this.#batches.leavePlace(batch);
      this.#pump();
      return this.#release(batch);
    }
    const startedAt = performance.now();
    const signal = this.#cut.signal;
    const outcome = await callProvider(batch, { ...this.#deps, timeoutMs: this.#options.timeoutMs, signal });
    // The slot becomes free with the response; the outcome is written during the next call.
    this.#batches.leavePlace(batch);
    this.#pump();
    this.#sleeper.wake();
    if (!this.#cut.signal.aborted)
      await this.#writer.write({ batch, outcome, durationMs: performance.now() - startedAt });
    this.#batches.end(batch);
  }

  /**
   * Returns whether a batch may still be embedded: it may have waited for its slot, and its account may have changed
   * its setting in the meantime.
   */
  async #confirm(batch: ClaimedBatch): Promise<boolean> {
    try {
      const ask = (): Promise<boolean> => confirmBatch(this.#deps.db, batch, this.#settings);
      const isWanted = await retry(ask, { delaysMs: WRITE_DELAYS_MS, mayRetry: isTransientDatabaseError });
      return isWanted && !this.#stopping;
    } catch (error) {
      this.#deps.logger.warn('embedding.not_confirmed', { account_id: batch.accountId, error });
      return false;
    }
  }

  async #release(batch: ClaimedBatch): Promise<void> {
    try {
      await returnBatch(this.#deps.db, batch, { kind: 'unused', mayBeBilled: false }, this.#deps.random);
    } catch (error) {
      this.#deps.logger.warn('embedding.not_returned', { account_id: batch.accountId, error });
    }
    this.#batches.end(batch);
  }

  #noteStop({ accountId, stopped: reason }: { readonly accountId: string; readonly stopped?: string }): void {
    if (reason === undefined) return;
    this.#deps.metrics.countStop(reason);
    this.#deps.logger.info('embedding.account_stopped', { account_id: accountId, reason });
  }
}
