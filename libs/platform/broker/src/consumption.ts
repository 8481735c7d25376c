import type { Logger } from '@steward/runtime';
import { handleMessage, type HandleDeps, type RunningMessage } from './handle-message.ts';
import type { ConsumerPlan, MessageBatch, NatsClient } from './nats-types.ts';

export interface Consumption {
  /**
   * Stops pulling and waits for the running handlers. What has not ended after `deadlineMs` is handed back for another process.
   * Resolves true when every handler ended in time. Calling it again waits for the same stop.
   */
  stop(deadlineMs: number): Promise<boolean>;
}

export interface ConsumptionDeps extends HandleDeps {
  readonly client: NatsClient;
  readonly plan: ConsumerPlan;
  readonly concurrency: number;
  /** For hints: more waiting messages than this are dropped unread, see `broker.consume`. */
  readonly dropBeyond?: number | undefined;
  /** Recreates a stream or a durable that was deleted. */
  readonly healStreams: () => Promise<void>;
  readonly logger: Logger;
}

/** A pull that found nothing ends after this; its heartbeats come every fifth of it. */
const PULL_EXPIRES_MS = 10_000;
/** How long a stop waits for a message that is already on the wire: unanswered it would be blocked until ackWait. */
const STOP_SETTLE_MS = 100;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Pulls exactly as many messages as there are free places and starts each at once, so nothing ever waits in a buffer of this process:
 * a stop leaves the rest of the stream to others. A fault of the broker only pauses the loop; it ends by `stop` alone.
 */
export function startConsumption(deps: ConsumptionDeps): Consumption {
  const running = new Set<RunningMessage>();
  let stopping: Promise<boolean> | undefined;
  let batch: MessageBatch | undefined;
  let wake: (() => void) | undefined;

  /** Sleeps until a handler ends, the connection changes, a stop begins, or the time is over. */
  function rest(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => wake?.(), milliseconds);
      wake = () => {
        clearTimeout(timer);
        wake = undefined;
        resolve();
      };
    });
  }

  function startHandler(message: Parameters<typeof handleMessage>[0]): void {
    const work = handleMessage(message, deps);
    running.add(work);
    void work.done.finally(() => {
      running.delete(work);
      wake?.();
    });
  }

  async function pull(): Promise<void> {
    const maxMessages = deps.concurrency - running.size;
    const pulled = await deps.client.fetch(deps.plan, { maxMessages, expiresMs: PULL_EXPIRES_MS });
    batch = pulled;
    // Guard: a batch that ends neither by itself nor by its heartbeats must not stall the consumer for ever.
    const guard = setTimeout(() => void pulled.close(), PULL_EXPIRES_MS + 5000);
    let dropped = false;
    try {
      for await (const message of pulled) {
        if (!dropped && message.waitingCount > (deps.dropBeyond ?? Number.POSITIVE_INFINITY)) {
          dropped = true;
          await dropWaiting();
        }
        startHandler(message);
      }
    } finally {
      clearTimeout(guard);
      batch = undefined;
    }
  }

  /** Before the message in hand is handled, so that its handler sees whatever the dropped ones told of. */
  async function dropWaiting(): Promise<void> {
    try {
      deps.metrics.countDropped(deps.contract.name, await deps.client.purge(deps.plan));
    } catch (error) {
      // Then they are read one by one.
      deps.logger.warn('consumption.drop_failed', { durable: deps.plan.durable, error });
    }
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (stopping === undefined) {
      if (running.size >= deps.concurrency || !deps.client.isConnected()) {
        await rest(1000);
        continue;
      }
      try {
        await pull();
        failures = 0;
      } catch (error) {
        if (stopping !== undefined || !deps.client.isConnected()) continue;
        failures += 1;
        deps.logger.warn('consumption.interrupted', { durable: deps.plan.durable, failures, error });
        await repair(failures);
      }
    }
  }

  async function repair(failures: number): Promise<void> {
    try {
      await deps.healStreams();
    } catch (error) {
      deps.logger.warn('streams.heal_failed', { durable: deps.plan.durable, error });
    }
    if (stopping === undefined) await rest(Math.min(LONGEST_PAUSE_MS, 100 * 2 ** Math.min(failures, 10)));
  }

  const unsubscribe = deps.client.onConnectionChange((connected) => {
    // The pull died with the connection; resumed by the client package it would ask for more than there are free places.
    if (!connected) void batch?.close();
    wake?.();
  });
  const loop = run();

  async function stopNow(deadlineMs: number): Promise<boolean> {
    const deadline = performance.now() + deadlineMs;
    wake?.();
    if (!(await endsWithin(loop, Math.min(STOP_SETTLE_MS, deadlineMs)))) await batch?.close();
    await loop;
    unsubscribe();
    const finished = await endsWithin(Promise.all([...running].map((work) => work.done)), deadline - performance.now());
    for (const work of running) work.abandon();
    return finished;
  }

  return {
    stop(deadlineMs) {
      stopping ??= Promise.resolve().then(() => stopNow(deadlineMs));
      return stopping;
    },
  };
}

async function endsWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, milliseconds));
  });
  const ended = await Promise.race([work.then(() => true), timeout]);
  clearTimeout(timer);
  return ended;
}
