import type { AnyDatabase } from '@steward/database';
import type { Component } from '@steward/process';
import { releaseClaims, type ClaimedDelivery, type DeliveryOutcome } from '@steward/webhooks';
import { attemptDelivery, type AttemptDeps } from './attempt-delivery.ts';
import { ClaimSource } from './claim-source.ts';
import type { SlotOutcome } from './endpoint-pace.ts';
import { EndpointSlots } from './endpoint-slots.ts';
import { createHeldQueue, type Held } from './held-queue.ts';
import type { OutcomeWriter } from './outcome-writer.ts';
import { recordDelivery } from './record-delivery.ts';
import { createWakeSignal } from './wake-signal.ts';

export interface DispatchLoopOptions {
  readonly pollSeconds: number;
  readonly batchSize: number;
  readonly concurrency: number;
  readonly webhookDeliveryTimeoutSeconds: number;
  /** Time for which `stop` waits for pending attempts before it releases their claims. */
  readonly stopDeadlineSeconds: number;
}

export interface DispatchLoopDeps extends AttemptDeps {
  readonly db: AnyDatabase;
  readonly outcomes: OutcomeWriter;
}

const TICK_MS = 500;
const OWN_FAULT_DELAY_SECONDS = 60;
const LONGEST_FAULT_PAUSE_MS = 15_000;

/**
 * Keeps the slots full: claims due rows in advance in small batches, starts them as slots become free, and claims
 * again. A claim does not wait until all rows of the previous batch are sent. If the outbox has no due rows, the loop
 * sleeps until a message arrives, a retry is due, or the poll interval ends. A claimed row first waits, then runs; it
 * ends when its outcome is written or its claim is released.
 */
export class DispatchLoop implements Component {
  readonly name = 'dispatch loop';
  readonly #deps: DispatchLoopDeps;
  readonly #options: DispatchLoopOptions;
  readonly #source: ClaimSource;
  readonly #slots: EndpointSlots;
  readonly #signal = createWakeSignal();
  readonly #held = createHeldQueue();
  readonly #running = new Map<ClaimedDelivery, Promise<void>>();
  readonly #activity = { attempts: 0, claimed: 0, released: 0, last_claim_at: null as string | null };
  #stopping = false;
  #loop: Promise<void> | undefined;
  #ticker: NodeJS.Timeout | undefined;

  constructor(deps: DispatchLoopDeps, options: DispatchLoopOptions) {
    const { concurrency, batchSize } = options;
    this.#deps = deps;
    this.#options = options;
    this.#source = new ClaimSource(deps.db, options);
    this.#slots = new EndpointSlots({ concurrency, batchSize, now: () => performance.now() });
  }

  /** Wakes the loop because there may be work; returns at once. */
  readonly nudge = (): void => this.#signal.wake();

  readonly readActivity = (): Readonly<Record<string, unknown>> => ({
    ...this.#activity,
    running: this.#running.size,
    held: this.#held.size,
  });

  start(): void {
    this.#ticker = setInterval(() => this.#tick(), TICK_MS);
    this.#loop = this.#runLoop();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#ticker);
    this.#signal.close();
    await this.#loop;
    const waiting = this.#held.takeAll();
    await this.#releaseHeld(waiting);
    await this.#awaitRunning();
    // The claims are released, so that another worker need not wait until the leases expire; the fencing check discards
    // late outcomes.
    const late = [...this.#running.keys()];
    await this.#release(late, 0);
    this.#deps.logger.info('dispatch.stopped', { released: waiting.length, unfinished: late.length });
  }

  async #awaitRunning(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#options.stopDeadlineSeconds * 1000);
    });
    await Promise.race([Promise.all(this.#running.values()), deadline]);
    clearTimeout(timer);
  }

  async #runLoop(): Promise<void> {
    let faults = 0;
    while (!this.#stopping) {
      try {
        const claimed = await this.#claim();
        faults = 0;
        if (this.#stopping) break;
        this.#pump();
        if (this.#source.isUnfinished || (claimed > 0 && this.#isHungry)) continue;
        await this.#signal.sleep(this.#options.pollSeconds * 1000);
      } catch (error) {
        faults += 1;
        this.#deps.logger.warn('delivery.claim_failed', { faults, error });
        await this.#signal.sleep(Math.min(LONGEST_FAULT_PAUSE_MS, 100 * 2 ** Math.min(faults, 10)));
      }
    }
  }

  get #isHungry(): boolean {
    return this.#source.mayHaveMore && this.#held.size <= this.#options.batchSize / 2;
  }

  async #claim(): Promise<number> {
    const claims = await this.#source.take(this.#options.batchSize - this.#held.size, this.#slots.readAllowances());
    this.#activity.claimed += claims.length;
    this.#activity.last_claim_at = this.#deps.clock.now().toISOString();
    for (const held of claims) {
      this.#held.add(held);
      this.#slots.hold(held.claim.endpointId);
    }
    return claims.length;
  }

  /** Starts the deliveries that may start, taking turns between endpoints. */
  #pump(): void {
    if (this.#held.size === 0 || this.#slots.running >= this.#options.concurrency) return;
    this.#held.drain(
      (endpointId) => this.#slots.canStart(endpointId),
      ({ claim }) => {
        this.#slots.unhold(claim.endpointId);
        this.#begin(claim);
      },
    );
  }

  /**
   * Releases rows that have waited too long, and starts others. Slots also become free over time: an endpoint that does
   * not respond is moved out of the lane of unknown endpoints.
   */
  #tick(): void {
    // No lease may expire during an attempt.
    void this.#releaseHeld(this.#held.takeStale(performance.now()));
    this.#pump();
    this.#deps.metrics.setRunning(this.#running.size);
  }

  #begin(claim: ClaimedDelivery): void {
    this.#slots.start(claim.endpointId);
    const work = this.#attempt(claim).finally(() => this.#running.delete(claim));
    this.#running.set(claim, work);
  }

  async #attempt(claim: ClaimedDelivery): Promise<void> {
    const attempt = await attemptDelivery(claim, this.#deps);
    this.#activity.attempts += 1;
    if (attempt.kind === 'own_fault') {
      this.#freeSlot(claim, undefined);
      await this.#release([claim], OWN_FAULT_DELAY_SECONDS);
      return;
    }
    void recordDelivery(this.#deps.db, claim, attempt.outcome);
    if (attempt.outcome.verdict === 'delivered') await this.#endDelivered(claim, attempt.outcome);
    else await this.#endFailed(claim, attempt.outcome);
  }

  /**
   * Ends a successful attempt. The slot becomes free with the receiver's response; the outcome is written during the
   * next attempt.
   */
  async #endDelivered(claim: ClaimedDelivery, outcome: DeliveryOutcome): Promise<void> {
    const { isProbe } = claim;
    this.#freeSlot(claim, { succeeded: true, durationMs: outcome.attempt.durationMs, isProbe });
    await this.#deps.outcomes.write(outcome);
    // The breaker is closed now, so waiting deliveries of the endpoint can start.
    if (isProbe) this.#signal.wake();
  }

  /** Ends a failed attempt. The slot becomes free only after the breaker is updated. */
  async #endFailed(claim: ClaimedDelivery, outcome: DeliveryOutcome): Promise<void> {
    const { breakerOpened } = await this.#deps.outcomes.write(outcome);
    if (breakerOpened) await this.#releaseHeld(this.#held.takeEndpoint(claim.endpointId));
    this.#freeSlot(claim, { succeeded: false, durationMs: outcome.attempt.durationMs, isProbe: claim.isProbe });
    if (outcome.retryDelayMs !== undefined) this.#signal.wakeIn(outcome.retryDelayMs);
  }

  #freeSlot(claim: ClaimedDelivery, outcome: SlotOutcome | undefined): void {
    this.#slots.finish(claim.endpointId, outcome);
    if (this.#stopping) return;
    this.#pump();
    if (this.#isHungry) this.#signal.wake();
  }

  /** Releases rows that were claimed in advance and will not be started here. */
  #releaseHeld(entries: readonly Held[]): Promise<void> {
    const claims = entries.map((entry) => entry.claim);
    for (const { endpointId } of claims) this.#slots.unhold(endpointId);
    return this.#release(claims, 0);
  }

  async #release(claims: readonly ClaimedDelivery[], delaySeconds: number): Promise<void> {
    if (claims.length === 0) return;
    try {
      this.#activity.released += await releaseClaims(this.#deps.db, claims, delaySeconds);
    } catch (error) {
      // The leases of these rows expire by themselves.
      this.#deps.logger.warn('delivery.release_failed', { claims: claims.length, error });
    }
  }
}
