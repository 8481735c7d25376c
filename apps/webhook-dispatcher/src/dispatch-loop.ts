import { randomUUID } from 'node:crypto';
import type { AnyDatabase } from '@steward/database';
import type { Component, Logger } from '@steward/runtime';
import { claimDeliveries, claimProbes, releaseClaims, type ClaimedDelivery } from '@steward/slice-webhooks';
import { attemptDelivery, type AttemptDeps } from './attempt-delivery.ts';
import { createEndpointSlots } from './endpoint-slots.ts';
import { createHeldQueue } from './held-queue.ts';
import type { OutcomeWriter } from './outcome-writer.ts';
import { createWakeSignal } from './wake-signal.ts';

export interface DispatchLoopOptions {
  readonly pollSeconds: number;
  readonly batchSize: number;
  readonly concurrency: number;
  readonly timeoutSeconds: number;
  /** How long `stop` waits for posts under way before it gives their claims back. */
  readonly stopDeadlineSeconds: number;
}

export interface DispatchLoopDeps extends AttemptDeps {
  readonly db: AnyDatabase;
  readonly outcomes: OutcomeWriter;
  readonly logger: Logger;
}

export interface DispatchLoop extends Component {
  /** There may be work: returns at once. */
  nudge(): void;
  readActivity(): Readonly<Record<string, unknown>>;
}

/** How much longer than one post a lease lasts: waiting for a slot here, and writing the outcome. */
const LEASE_MARGIN_SECONDS = 20;
/** Part of the margin that stays for the write. */
const WRITE_MARGIN_SECONDS = 8;
const PROBE_EVERY_MS = 1000;
const TICK_MS = 500;
const OWN_FAULT_DELAY_SECONDS = 60;
const LONGEST_FAULT_PAUSE_MS = 15_000;

/**
 * Keeps the slots full: claims due rows ahead in small portions, starts them as slots free, claims again. Nothing waits
 * for a pass to end. Sleeps when the outbox has nothing for it, until a message, a retry that falls due, or the poll.
 */
export function createDispatchLoop(deps: DispatchLoopDeps, options: DispatchLoopOptions): DispatchLoop {
  const { db, logger } = deps;
  const { batchSize, concurrency } = options;
  const leaseSeconds = options.timeoutSeconds + LEASE_MARGIN_SECONDS;
  const slots = createEndpointSlots({ concurrency, batchSize, now: () => performance.now() });
  const signal = createWakeSignal();
  const held = createHeldQueue();
  const running = new Map<ClaimedDelivery, Promise<void>>();
  let stopping = false;
  let loop: Promise<void> | undefined;
  let ticker: NodeJS.Timeout | undefined;
  let probedAt = Number.NEGATIVE_INFINITY;
  /** The last claim left rows behind that a freed slot could take. */
  let mayHaveMore = false;
  const activity = { attempts: 0, claimed: 0, released: 0, last_claim_at: null as string | null };

  async function claim(): Promise<number> {
    const room = Math.min(batchSize - held.size, batchSize);
    if (room <= 0) return 0;
    const claimedAt = performance.now();
    const token = randomUUID();
    const wanted = slots.readAllowances();
    const claims = await claimDeliveries(db, { token, leaseSeconds, limit: room, ...wanted });
    if (claimedAt - probedAt >= PROBE_EVERY_MS && claims.length < room) {
      probedAt = claimedAt;
      claims.push(...(await claimProbes(db, { token: randomUUID(), leaseSeconds, limit: room - claims.length })));
    }
    mayHaveMore = claims.length >= room || hasCappedEndpoint(claims, wanted);
    activity.claimed += claims.length;
    activity.last_claim_at = deps.clock.now().toISOString();
    const usableUntil = claimedAt + (leaseSeconds - options.timeoutSeconds - WRITE_MARGIN_SECONDS) * 1000;
    for (const claimed of claims) {
      held.add({ claim: claimed, usableUntil });
      slots.hold(claimed.endpointId);
    }
    return claims.length;
  }

  /** Starts what may start, endpoints in turn. */
  function pump(): void {
    if (held.size === 0 || slots.countRunning() >= concurrency) return;
    held.drain(slots.canStart, ({ claim }) => {
      slots.unhold(claim.endpointId);
      start(claim);
    });
  }

  /** Gives back what waited too long, so that no lease ends during a post. */
  function dropStale(): void {
    const stale = held.takeStale(performance.now()).map((entry) => entry.claim);
    for (const { endpointId } of stale) slots.unhold(endpointId);
    if (stale.length > 0) void giveBack(stale, 0);
  }

  /** Slots also free themselves by time: an endpoint that hangs leaves the lane of the unknown ones. */
  function tick(): void {
    dropStale();
    pump();
    deps.metrics.setRunning(running.size);
  }

  function start(claim: ClaimedDelivery): void {
    slots.start(claim.endpointId);
    const work = run(claim).finally(() => running.delete(claim));
    running.set(claim, work);
  }

  async function run(claim: ClaimedDelivery): Promise<void> {
    const attempt = await attemptDelivery(claim, deps);
    activity.attempts += 1;
    if (attempt.kind === 'own_fault') {
      freeSlot(claim, undefined);
      await giveBack([claim], OWN_FAULT_DELAY_SECONDS);
      return;
    }
    const { outcome } = attempt;
    const { durationMs } = outcome.attempt;
    if (outcome.verdict === 'delivered') {
      // The slot is free with the status line; the outcome is written beside the next post.
      freeSlot(claim, { succeeded: true, durationMs, isProbe: claim.isProbe });
      await deps.outcomes.write(outcome);
      return;
    }
    // After a failure the breaker has its say before the next post to this endpoint.
    const { breakerOpened } = await deps.outcomes.write(outcome);
    if (breakerOpened) await giveBackHeld(claim.endpointId);
    freeSlot(claim, { succeeded: false, durationMs, isProbe: claim.isProbe });
    if (outcome.retryDelayMs !== undefined) signal.wakeIn(outcome.retryDelayMs);
  }

  /** Rows claimed ahead for an endpoint whose breaker has opened since. */
  async function giveBackHeld(endpointId: string): Promise<void> {
    const claims = held.takeEndpoint(endpointId).map((entry) => entry.claim);
    for (const { endpointId: id } of claims) slots.unhold(id);
    if (claims.length > 0) await giveBack(claims, 0);
  }

  function freeSlot(claim: ClaimedDelivery, outcome: Parameters<typeof slots.finish>[1]): void {
    slots.finish(claim.endpointId, outcome);
    if (stopping) return;
    pump();
    if (mayHaveMore && held.size <= batchSize / 2) signal.wake();
  }

  async function giveBack(claims: readonly ClaimedDelivery[], delaySeconds: number): Promise<void> {
    try {
      activity.released += await releaseClaims(db, claims, delaySeconds);
    } catch (error) {
      // Their leases end by themselves.
      logger.warn('delivery.release_failed', { claims: claims.length, error });
    }
  }

  async function runLoop(): Promise<void> {
    let faults = 0;
    while (!stopping) {
      try {
        const claimed = await claim();
        faults = 0;
        if (stopping) break;
        pump();
        if (claimed > 0 && mayHaveMore && held.size <= batchSize / 2) continue;
        await signal.sleep(options.pollSeconds * 1000);
      } catch (error) {
        faults += 1;
        logger.warn('delivery.claim_failed', { faults, error });
        await signal.sleep(Math.min(LONGEST_FAULT_PAUSE_MS, 100 * 2 ** Math.min(faults, 10)));
      }
    }
  }

  async function stop(): Promise<void> {
    stopping = true;
    clearInterval(ticker);
    signal.close();
    await loop;
    const waiting = held.takeAll().map((entry) => entry.claim);
    if (waiting.length > 0) await giveBack(waiting, 0);
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, options.stopDeadlineSeconds * 1000);
    });
    await Promise.race([Promise.all(running.values()), deadline]);
    clearTimeout(timer);
    // Given back, so that another worker need not wait for the lease; what they still answer is discarded by the fence.
    const late = [...running.keys()];
    if (late.length > 0) await giveBack(late, 0);
    logger.info('dispatch.stopped', { released: waiting.length, unfinished: late.length });
  }

  return {
    name: 'dispatch loop',
    nudge: () => signal.wake(),
    readActivity: () => ({ ...activity, running: running.size, held: held.size }),
    start() {
      ticker = setInterval(tick, TICK_MS);
      loop = runLoop();
    },
    stop,
  };
}

/** True when some endpoint got as many rows as it could, or none could be asked for: there may be more. */
function hasCappedEndpoint(
  claims: readonly ClaimedDelivery[],
  wanted: { readonly defaultAllowance: number; readonly allowances: ReadonlyMap<string, number> },
): boolean {
  const counts = new Map<string, number>();
  for (const { endpointId } of claims) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
  const blocked = wanted.defaultAllowance === 0 || [...wanted.allowances.values()].includes(0);
  return (
    blocked || claims.some(({ endpointId, endpointAllowance }) => (counts.get(endpointId) ?? 0) >= endpointAllowance)
  );
}
