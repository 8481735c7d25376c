import type { Logger } from '@steward/process';
import { BrokerUnavailableError } from './broker-errors.ts';
import type { BrokerMetrics } from './broker-metrics.ts';
import type { AnyContract } from './catalogue.ts';
import type { MessageCodec } from './message-codec.ts';
import { StreamMissingError, type NatsClient, type OutgoingMessage } from './nats/nats-types.ts';

export interface Published {
  readonly kind: 'published';
  /**
   * True if the stream already contained this business key within its duplicate window, so that no message was added.
   */
  readonly duplicate: boolean;
  readonly sequence: number;
}

export interface Publisher {
  publish(contract: AnyContract, codec: MessageCodec, payload: unknown): Promise<Published>;
  publishHints(contract: AnyContract, codec: MessageCodec, payloads: readonly unknown[]): void;
  /**
   * Sends bytes unchanged.
   * @throws BrokerUnavailableError
   */
  send(message: Omit<OutgoingMessage, 'timeoutMs'>): Promise<Published>;
  /** Waits until all hints in flight have been acknowledged or have failed. */
  flush(): Promise<void>;
}

interface PublisherDeps {
  readonly client: NatsClient;
  readonly logger: Logger;
  readonly metrics: BrokerMetrics;
  readonly healStreams: () => Promise<void>;
}

const ACK_TIMEOUT_MS = 5000;
/**
 * Maximum number of commits whose hints are not acknowledged yet: a healthy broker acknowledges in about a millisecond,
 * so a larger number means that the broker does not respond.
 */
const MAX_OPEN_HINTS = 512;
const WARN_EVERY_MS = 60_000;

type Send = (message: Omit<OutgoingMessage, 'timeoutMs'>) => Promise<Published>;

function createSend({ client, healStreams }: Pick<PublisherDeps, 'client' | 'healStreams'>): Send {
  /**
   * Publishes a message; a stream that was deleted while the process is running is created again, at most once per
   * message.
   */
  async function publishHealing(message: OutgoingMessage) {
    try {
      return await client.publish(message);
    } catch (error) {
      if (!(error instanceof StreamMissingError)) throw error;
      await healStreams();
      return await client.publish(message);
    }
  }

  return async (message) => {
    // The connection is checked first, since the client package would buffer the message and send it when the broker is
    // available again.
    if (!client.isConnected()) throw new BrokerUnavailableError('not connected');
    const outgoing = { ...message, timeoutMs: ACK_TIMEOUT_MS };
    try {
      return { kind: 'published', ...(await publishHealing(outgoing)) };
    } catch (error) {
      throw new BrokerUnavailableError('the message was not acknowledged', { cause: error });
    }
  };
}

export function createPublisher(deps: PublisherDeps): Publisher {
  const { client, logger, metrics } = deps;
  const openHints = new Set<Promise<void>>();
  const outage = createOutageLog(logger);

  const send = createSend(deps);

  async function publish(contract: AnyContract, codec: MessageCodec, payload: unknown): Promise<Published> {
    const body = codec.encode(payload);
    const messageId = toHeaderSafe(contract.messageId(payload as never));
    try {
      const published = await send({ subject: contract.subject, body, messageId });
      metrics.countPublished(contract.name, published.duplicate);
      return published;
    } catch (error) {
      metrics.countPublishFailed(contract.name);
      throw error;
    }
  }

  /**
   * Publishes the hints of one commit. Only the last one is acknowledged: the server handles the messages of a
   * connection in order, so one acknowledgement covers all, and an acknowledgement is more expensive for both sides
   * than the message.
   */
  function publishHints(contract: AnyContract, codec: MessageCodec, payloads: readonly unknown[]): void {
    if (payloads.length === 0) return;
    if (openHints.size >= MAX_OPEN_HINTS) {
      for (const _payload of payloads) metrics.countPublishFailed(contract.name);
      return outage.fail(contract.name, new BrokerUnavailableError('too many messages wait for an acknowledgement'));
    }
    const hint = sendHints(contract, codec, payloads)
      .then(
        () => outage.succeed(),
        (error: unknown) => {
          if (error instanceof BrokerUnavailableError) return outage.fail(contract.name, error);
          logger.error('message.publish_refused', { message: contract.name, error });
        },
      )
      .finally(() => openHints.delete(hint));
    openHints.add(hint);
  }

  async function sendHints(contract: AnyContract, codec: MessageCodec, payloads: readonly unknown[]): Promise<void> {
    const others = payloads.slice(0, -1);
    // No message is buffered while the broker is unreachable; the last message reports the failure for all messages.
    for (const payload of client.isConnected() ? others : []) {
      client.send({
        subject: contract.subject,
        body: codec.encode(payload),
        messageId: toHeaderSafe(contract.messageId(payload as never)),
      });
    }
    try {
      await publish(contract, codec, payloads.at(-1));
      for (const _payload of others) metrics.countPublished(contract.name, false);
    } catch (error) {
      for (const _payload of others) metrics.countPublishFailed(contract.name);
      throw error;
    }
  }

  return {
    publish,
    publishHints,
    send,
    async flush() {
      await Promise.all(openHints);
    },
  };
}

/**
 * Returns a log that writes one warning when an outage begins, one per minute while it lasts, and one line with the
 * total at its end.
 */
function createOutageLog(logger: Logger) {
  let failed = 0;
  let warnedAt = Number.NEGATIVE_INFINITY;
  return {
    fail(message: string, error: Error): void {
      failed += 1;
      const now = performance.now();
      if (failed > 1 && now - warnedAt < WARN_EVERY_MS) return;
      warnedAt = now;
      logger.warn('message.publish_failed', { message, failed_since_outage_began: failed, error });
    },
    succeed(): void {
      if (failed > 0) logger.info('message.publish_recovered', { failed_during_outage: failed });
      failed = 0;
    },
  };
}

/**
 * Converts a business key to the value of a header. The key may contain any characters (for example in a source id from
 * a client), but headers must not contain control characters, so these are percent-encoded.
 */
function toHeaderSafe(messageId: string): string {
  // eslint-disable-next-line no-control-regex -- see above.
  return messageId.replace(/[\u0000-\u001f\u007f]/g, (character) => encodeURIComponent(character));
}
