import { setTimeout as delay } from 'node:timers/promises';
import { limitTime } from '@steward/async';
import type { AppName, MESSAGES } from '@steward/contracts';
import type { Logger, Metrics } from '@steward/process';
import { createBrokerMetrics } from './broker-metrics.ts';
import type { AnyContract, Catalogue, NameOf, PayloadOf } from './catalogue.ts';
import { startConsumption, type Consumption } from './consumption.ts';
import { buildDeadLetter } from './dead-letter.ts';
import { ensureStreams, planConsumer } from './ensure-streams.ts';
import type { MessageHandler } from './handle-message.ts';
import { createCodecs, type MessageCodec } from './message-codec.ts';
import type { NatsClient, StreamBacklog } from './nats/nats-types.ts';
import { createPublisher, type Published } from './publisher.ts';
import { computeRetryDelay, type RetryDelay } from './settlement.ts';

export interface Broker<C extends Catalogue = typeof MESSAGES> {
  /**
   * Creates or updates the streams and durable consumers of the catalog, for one app or for all. Idempotent, and safe
   * in any number of processes at the same time.
   */
  ensureStreams(): Promise<void>;
  /**
   * Publishes a message; resolves when the stream has stored it.
   * @throws InvalidMessageError if the payload does not conform to its contract; BrokerUnavailableError if there is no
   *   connection, the message is rejected, or no acknowledgement arrives within 5 s
   */
  publish<Name extends NameOf<C>>(name: Name, payload: PayloadOf<C, Name>): Promise<Published>;
  /**
   * Publishes a hint; must be called after the commit. A lost hint only increases latency, so this function returns
   * immediately and never throws. While the broker is unreachable, hints are dropped and counted, and a warning is
   * logged once a minute; a reconciler finds the work to which the hints refer.
   */
  publishHint<Name extends NameOf<C>>(name: Name, payload: PayloadOf<C, Name>): void;
  /** Publishes all hints of one commit, at little more cost than a single hint. */
  publishHints<Name extends NameOf<C>>(name: Name, payloads: readonly PayloadOf<C, Name>[]): void;
  /**
   * Runs `handler` for every message, at most `concurrency` at the same time in this process, until the consumption is
   * stopped.
   */
  consume<Name extends NameOf<C>>(
    name: Name,
    handler: MessageHandler<PayloadOf<C, Name>>,
    options: ConsumeOptions,
  ): Consumption;
  /**
   * Returns the number of unhandled messages in the stream of the message `name`, and the time of the oldest one. Needs
   * only the permissions of a publisher.
   * @throws if there is no response
   */
  readBacklog(name: NameOf<C>): Promise<StreamBacklog>;
  isConnected(): boolean;
  /**
   * Makes one round trip.
   * @throws if there is no connection, or no response within 1.5 s
   */
  checkHealth(): Promise<void>;
  /**
   * Stops all consumptions (waiting up to 5 s for running handlers), waits for hints in flight, and finally drains the
   * connection.
   */
  close(): Promise<void>;
}

export interface ConsumeOptions {
  readonly concurrency: number;
  /**
   * Maximum number of waiting messages. If more messages wait, all of them are removed from the stream before the
   * current message is handled; the handler of the current message then does their work, too. Only for hints: reading
   * and acknowledging a thousand hints takes longer than the work to which they refer.
   */
  readonly dropBeyond?: number;
}

interface BrokerDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly app?: AppName;
  readonly replicas?: number | undefined;
  readonly retryDelay?: RetryDelay;
}

/**
 * Time limit of a health check in milliseconds, shorter than that of its caller (2 s), so that the check reports its
 * own error instead of the caller's timeout.
 */
const HEALTH_TIMEOUT_MS = 1500;
const HEAL_DELAY_MS = 500;
const CLOSE_DEADLINE_MS = 5000;

export function createBroker<C extends Catalogue>(client: NatsClient, catalogue: C, deps: BrokerDeps): Broker<C> {
  const metrics = createBrokerMetrics(deps.metrics, listPublished(catalogue, deps.app));
  const codecs = createCodecs(catalogue);
  const consumptions = new Set<Consumption>();
  let ensuring: Promise<void> | undefined;

  /** Sets up the streams; simultaneous callers share one setup. */
  function ensureOnce(): Promise<void> {
    ensuring ??= ensureStreams(client, catalogue, deps).finally(() => {
      ensuring = undefined;
    });
    return ensuring;
  }

  /**
   * Creates a deleted stream again, after a delay: nats-server 2.9 deletes the files of a deleted stream in the
   * background, and a stream created during that time loses its files and rejects every message until the server is
   * restarted.
   */
  async function healStreams(): Promise<void> {
    await delay(HEAL_DELAY_MS);
    await ensureOnce();
  }

  function find(name: NameOf<C>): { contract: AnyContract; codec: MessageCodec } {
    const contract = catalogue[name];
    const codec = codecs.get(name);
    if (contract === undefined || codec === undefined) throw new Error(`the message ${name} is not in the catalog`);
    return { contract, codec };
  }

  const publisher = createPublisher({ client, logger: deps.logger, metrics, healStreams });

  return {
    ensureStreams: ensureOnce,
    async publish(name, payload) {
      const { contract, codec } = find(name);
      return publisher.publish(contract, codec, payload);
    },
    publishHint(name, payload) {
      const { contract, codec } = find(name);
      publisher.publishHints(contract, codec, [payload]);
    },
    publishHints(name, payloads) {
      const { contract, codec } = find(name);
      publisher.publishHints(contract, codec, payloads);
    },
    consume(name, handler, { concurrency, dropBeyond }) {
      const { contract, codec } = find(name);
      const plan = planConsumer(contract);
      metrics.watchLag(contract.name, () => client.readLag(plan));
      const consumption = startConsumption({
        client,
        contract,
        codec,
        handler: handler as MessageHandler<never>,
        plan,
        concurrency,
        dropBeyond,
        healStreams,
        retryDelay: deps.retryDelay ?? computeRetryDelay,
        logger: deps.logger,
        metrics,
        async storeDeadLetter(message, reason) {
          await publisher.send(buildDeadLetter(contract, message, reason));
        },
      });
      consumptions.add(consumption);
      return consumption;
    },
    readBacklog: (name) => client.readBacklog(find(name).contract.stream),
    isConnected: () => client.isConnected(),
    checkHealth: () => checkHealth(client),
    async close() {
      await Promise.all([...consumptions].map((consumption) => consumption.stop(CLOSE_DEADLINE_MS)));
      await publisher.flush();
      await client.drain();
    },
  };
}

function listPublished(catalogue: Catalogue, app: AppName | undefined): readonly string[] {
  return Object.values(catalogue).flatMap(({ name, publishers }) =>
    app !== undefined && publishers.includes(app) ? [name] : [],
  );
}

async function checkHealth(client: NatsClient): Promise<void> {
  await limitTime(
    client.flush(),
    HEALTH_TIMEOUT_MS,
    () => new Error(`the broker did not respond within ${HEALTH_TIMEOUT_MS} ms`),
  );
}
