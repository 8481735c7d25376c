import { createSleeper, endsWithin } from '@steward/async';
import type { Logger } from '@steward/process';
import { handleMessage, type HandleDeps, type RunningMessage } from './handle-message.ts';
import type { ConsumerPlan, IncomingMessage, MessageBatch, NatsClient } from './nats/nats-types.ts';

export interface Consumption {
  /**
   * Stops pulling and waits for the running handlers. Messages that are still being handled after `deadlineMs` are
   * returned to the broker, so that another process can handle them. Resolves with true if every handler ended in time.
   * A second call waits for the same stop.
   */
  stop(deadlineMs: number): Promise<boolean>;
}

export interface ConsumptionDeps extends HandleDeps {
  readonly client: NatsClient;
  readonly plan: ConsumerPlan;
  readonly concurrency: number;
  /**
   * Number of waiting messages above which they are dropped without being read; only for hints, see `broker.consume`.
   */
  readonly dropBeyond?: number | undefined;
  /** Recreates a stream or a durable consumer that was deleted. */
  readonly healStreams: () => Promise<void>;
  readonly logger: Logger;
}

/**
 * Time in milliseconds after which a pull ends even if not all requested messages have arrived; heartbeats are sent at
 * intervals of a fifth of this time.
 */
const PULL_EXPIRES_MS = 10_000;
/**
 * Time in milliseconds for which a stop waits for messages that are already in transit: a message that arrived after
 * the stop would not be delivered again until ackWait has passed.
 */
const STOP_SETTLE_MS = 100;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Starts a consumption. It pulls exactly as many messages as there are free slots, and handles each of them
 * immediately. No message waits in a buffer of this process, so other processes get the rest of the stream after a
 * stop. A broker error only pauses the loop; the loop ends only with `stop`.
 */
export function startConsumption(deps: ConsumptionDeps): Consumption {
  return new PullLoop(deps);
}

class PullLoop implements Consumption {
  readonly #deps: ConsumptionDeps;
  readonly #running = new Set<RunningMessage>();
  /** Sleeper that is woken when a handler ends, the connection changes, or a stop begins. */
  readonly #sleeper = createSleeper();
  readonly #unsubscribe: () => void;
  readonly #loop: Promise<void>;
  #batch: MessageBatch | undefined;
  #stopping: Promise<boolean> | undefined;

  constructor(deps: ConsumptionDeps) {
    this.#deps = deps;
    this.#unsubscribe = deps.client.onConnectionChange((connected) => {
      // The pull ended with the connection. If the client package resumed the pull, the package would request more
      // messages than there are free slots.
      if (!connected) void this.#batch?.close();
      this.#sleeper.wake();
    });
    this.#loop = this.#run();
  }

  stop(deadlineMs: number): Promise<boolean> {
    this.#stopping ??= Promise.resolve().then(() => this.#stopNow(deadlineMs));
    return this.#stopping;
  }

  async #run(): Promise<void> {
    const { client, logger, plan, concurrency } = this.#deps;
    let failures = 0;
    while (this.#stopping === undefined) {
      if (this.#running.size >= concurrency || !client.isConnected()) {
        await this.#sleeper.sleep(1000);
        continue;
      }
      try {
        await this.#pull();
        failures = 0;
      } catch (error) {
        if (this.#isStopping() || !client.isConnected()) continue;
        failures += 1;
        logger.warn('consumption.interrupted', { durable: plan.durable, failures, error });
        await this.#repair(failures);
      }
    }
  }

  async #pull(): Promise<void> {
    const { client, plan, concurrency, dropBeyond = Number.POSITIVE_INFINITY } = this.#deps;
    const maxMessages = concurrency - this.#running.size;
    const pulled = await client.fetch(plan, { maxMessages, expiresMs: PULL_EXPIRES_MS });
    this.#batch = pulled;
    // This timer is a safeguard: a batch that ends neither regularly nor because of missed heartbeats must not block
    // the consumer forever.
    const guard = setTimeout(() => void pulled.close(), PULL_EXPIRES_MS + 5000);
    let dropped = false;
    try {
      for await (const message of pulled) {
        if (!dropped && message.waitingCount > dropBeyond) {
          dropped = true;
          await this.#dropWaiting();
        }
        this.#startHandler(message);
      }
    } finally {
      clearTimeout(guard);
      this.#batch = undefined;
    }
  }

  #startHandler(message: IncomingMessage): void {
    const work = handleMessage(message, this.#deps);
    this.#running.add(work);
    void work.done.finally(() => {
      this.#running.delete(work);
      this.#sleeper.wake();
    });
  }

  /**
   * Drops the waiting messages before the current message is handled, so that the handler of the current message finds
   * the rows to which the dropped messages refer.
   */
  async #dropWaiting(): Promise<void> {
    const { client, contract, logger, metrics, plan } = this.#deps;
    try {
      metrics.countDropped(contract.name, await client.purge(plan));
    } catch (error) {
      // The messages are read one by one if dropping them fails.
      logger.warn('consumption.drop_failed', { durable: plan.durable, error });
    }
  }

  async #repair(failures: number): Promise<void> {
    try {
      await this.#deps.healStreams();
    } catch (error) {
      this.#deps.logger.warn('streams.heal_failed', { durable: this.#deps.plan.durable, error });
    }
    if (!this.#isStopping()) await this.#sleeper.sleep(Math.min(LONGEST_PAUSE_MS, 100 * 2 ** Math.min(failures, 10)));
  }

  /**
   * Returns whether the loop is stopping. This is a method, because the compiler assumes that a field does not change
   * during an await.
   */
  #isStopping(): boolean {
    return this.#stopping !== undefined;
  }

  async #stopNow(deadlineMs: number): Promise<boolean> {
    const deadline = performance.now() + deadlineMs;
    this.#sleeper.wake();
    if (!(await endsWithin(this.#loop, Math.min(STOP_SETTLE_MS, deadlineMs)))) await this.#batch?.close();
    await this.#loop;
    this.#unsubscribe();
    const handlers = Promise.all([...this.#running].map((work) => work.done));
    const finished = await endsWithin(handlers, deadline - performance.now());
    for (const work of this.#running) work.abandon();
    return finished;
  }
}
