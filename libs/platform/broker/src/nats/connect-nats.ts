import { jetstream, jetstreamManager, type Consumer, type JetStreamClient } from '@nats-io/jetstream';
import {
  connect,
  headers as createHeaders,
  type MsgHdrs,
  type NatsConnection,
  type NodeConnectionOptions,
} from '@nats-io/transport-node';
import { endsWithin } from '@steward/async';
import { buildInboxPrefix } from '@steward/contracts';
import type { TlsFiles } from '@steward/process';
import { MESSAGE_ID_HEADER, toIncoming } from './incoming-message.ts';
import { createNatsStreams } from './nats-streams.ts';
import { StreamMissingError, type NatsClient } from './nats-types.ts';
import { readAddress } from './read-address.ts';
import { watchConnection } from './watch-connection.ts';

export interface NatsClientOptions {
  readonly url: string;
  readonly tls?: TlsFiles;
  readonly name: string;
  readonly connectTimeoutSeconds: number;
}

const DRAIN_TIMEOUT_MS = 5000;

/**
 * Connects to NATS. Only this folder imports the NATS client packages. Fails immediately if the first connection fails;
 * afterwards, the client reconnects without a limit. The client supports nats-server 2.9: `term()` is sent without a
 * reason (versions 2.9 and 2.10 do not recognize `term()` with a reason, and redeliver the message), and a consumer has
 * a single `filter_subject`.
 */
export async function connectNats(options: NatsClientOptions): Promise<NatsClient> {
  const nc = await openConnection(options);
  const js = jetstream(nc);
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  const connection = watchConnection(nc);
  return {
    isConnected: connection.isConnected,
    onConnectionChange: connection.onChange,
    onDenied: connection.onDenied,
    ...createNatsStreams(jsm),
    publish: (message) => publish(js, message),
    send(message) {
      const headers = toHeaders({ ...message.headers, [MESSAGE_ID_HEADER]: message.messageId });
      nc.publish(message.subject, message.body, { headers });
    },
    fetch: createFetch(js),
    async flush() {
      if (!connection.isConnected()) throw new Error('not connected');
      await nc.flush();
    },
    async drain() {
      if (nc.isClosed()) return;
      connection.silence();
      if (!connection.isConnected()) return nc.close();
      const drained = nc.drain().catch(() => undefined);
      await endsWithin(drained, DRAIN_TIMEOUT_MS);
      if (!nc.isClosed()) await nc.close();
    },
  };
}

/**
 * Opens the connection. With TLS, a test connection that does not reconnect is opened first, because the server rejects
 * a client certificate only after the client considers the handshake complete. A client that reconnects does not notice
 * that its first connection was closed, and waits until its time limit; a client that does not reconnect reports the
 * error immediately.
 */
async function openConnection(options: NatsClientOptions): Promise<NatsConnection> {
  const given = buildConnection(options);
  if (given.tls !== undefined) await (await connect({ ...given, reconnect: false })).close();
  return connect(given);
}

function buildConnection(options: NatsClientOptions): NodeConnectionOptions {
  return {
    ...readAddress(options.url, options.tls),
    name: options.name,
    inboxPrefix: buildInboxPrefix(options.name),
    timeout: options.connectTimeoutSeconds * 1000,
    maxReconnectAttempts: -1,
    // Reconnecting continues after the server has rejected the credentials, since this may happen while the server is
    // being reconfigured.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 250,
    reconnectJitter: 500,
    reconnectJitterTLS: 500,
    pingInterval: 10_000,
    // Asynchronous stack traces are disabled: capturing them twice per published message takes 8 % of the gateway's
    // time while it accepts triggers.
    noAsyncTraces: true,
  };
}

async function publish(
  js: JetStreamClient,
  message: Parameters<NatsClient['publish']>[0],
): ReturnType<NatsClient['publish']> {
  try {
    const ack = await js.publish(message.subject, message.body, {
      msgID: message.messageId,
      timeout: message.timeoutMs,
      headers: toHeaders(message.headers),
    });
    return { sequence: ack.seq, duplicate: ack.duplicate };
  } catch (error) {
    // The package uses this class for "no responders on this subject", but does not export it.
    if (error instanceof Error && error.name === 'JetStreamNotEnabled') {
      throw new StreamMissingError(message.subject, { cause: error });
    }
    throw error;
  }
}

function createFetch(js: JetStreamClient): NatsClient['fetch'] {
  const consumers = new Map<string, Promise<Consumer>>();

  function openConsumer(stream: string, durable: string): Promise<Consumer> {
    const key = `${stream}/${durable}`;
    const known = consumers.get(key);
    if (known !== undefined) return known;
    const opening = js.consumers.get(stream, durable);
    consumers.set(key, opening);
    opening.catch(() => consumers.delete(key));
    return opening;
  }

  return async (plan, limits) => {
    const consumer = await openConsumer(plan.stream, plan.durable);
    const batch = await consumer.fetch({
      max_messages: limits.maxMessages,
      expires: limits.expiresMs,
      // Two missed heartbeats end the batch with an error, so a deleted stream is detected within half of `expires`.
      idle_heartbeat: limits.expiresMs / 5,
    });
    return {
      async *[Symbol.asyncIterator]() {
        for await (const message of batch) yield toIncoming(message);
      },
      async close() {
        await batch.close();
      },
    };
  };
}

function toHeaders(fields: Readonly<Record<string, string>> = {}): MsgHdrs {
  const headers = createHeaders();
  for (const [key, value] of Object.entries(fields)) headers.set(key, value);
  return headers;
}
