import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type Consumer,
  type JsMsg,
  type StreamConfig,
} from '@nats-io/jetstream';
import { connect, headers as createHeaders, nanos, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { StreamMissingError, type IncomingMessage, type NatsClient, type StreamPlan } from './nats-types.ts';

export interface NatsClientOptions {
  readonly url: string;
  readonly name: string;
  readonly connectTimeoutSeconds: number;
}

/** Server codes the client package has no name for. */
const STREAM_NAME_IN_USE = 10058;
const CONSUMER_EXISTS = 10148;
const DRAIN_TIMEOUT_MS = 5000;
const MESSAGE_ID_HEADER = 'Nats-Msg-Id';

/**
 * The one place that knows the NATS client packages. It fails at once when the first connection fails and reconnects
 * for ever after that. Written against nats-server 2.9: `term()` carries no reason (2.9 to 2.10 do not understand one and
 * deliver the message again) and a consumer has a single `filter_subject`.
 */
export async function connectNats(options: NatsClientOptions): Promise<NatsClient> {
  const nc = await connect({
    ...readAddress(options.url),
    name: options.name,
    timeout: options.connectTimeoutSeconds * 1000,
    maxReconnectAttempts: -1,
    // A credential that is refused while the server is being reconfigured must not end reconnecting for ever.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 250,
    reconnectJitter: 500,
    reconnectJitterTLS: 500,
    pingInterval: 10_000,
    // Two stack traces per published message, in case it fails: 8 % of the gateway's time while it accepts triggers.
    noAsyncTraces: true,
  });
  const js = jetstream(nc);
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  const connection = watchConnection(nc);
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

  return {
    isConnected: connection.isConnected,
    onConnectionChange: connection.onChange,
    async publish(message) {
      const headers = toHeaders(message.headers);
      try {
        const ack = await js.publish(message.subject, message.body, {
          msgID: message.messageId,
          timeout: message.timeoutMs,
          headers,
        });
        return { sequence: ack.seq, duplicate: ack.duplicate };
      } catch (error) {
        // The package gives "nobody answered on this subject" this class and does not export it.
        if (error instanceof Error && error.name === 'JetStreamNotEnabled') {
          throw new StreamMissingError(message.subject, { cause: error });
        }
        throw error;
      }
    },
    send(message) {
      const headers = toHeaders({ ...message.headers, [MESSAGE_ID_HEADER]: message.messageId });
      nc.publish(message.subject, message.body, { headers });
    },
    async fetch(plan, limits) {
      const consumer = await openConsumer(plan.stream, plan.durable);
      const batch = await consumer.fetch({
        max_messages: limits.maxMessages,
        expires: limits.expiresMs,
        // Two silent heartbeats end the batch with an error: a deleted stream is noticed within half of `expires`.
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
    },
    async purge(plan) {
      return (await jsm.streams.purge(plan.stream, { filter: plan.subject })).purged;
    },
    async findStream(name) {
      try {
        return toStreamPlan((await jsm.streams.info(name)).config);
      } catch (error) {
        if (hasCode(error, JetStreamApiCodes.StreamNotFound)) return undefined;
        throw error;
      }
    },
    async createStream(plan) {
      try {
        await jsm.streams.add({ ...toStreamConfig(plan), retention: toRetention(plan), storage: StorageType.File });
        return 'created';
      } catch (error) {
        if (hasCode(error, STREAM_NAME_IN_USE)) return 'exists';
        throw error;
      }
    },
    async updateStream(plan) {
      await jsm.streams.update(plan.name, toStreamConfig(plan));
    },
    async upsertConsumer(plan) {
      const limits = { ack_wait: nanos(plan.ackWaitSeconds * 1000), max_ack_pending: plan.maxAckPending };
      try {
        await jsm.consumers.add(plan.stream, {
          ...limits,
          durable_name: plan.durable,
          filter_subject: plan.subject,
          ack_policy: AckPolicy.Explicit,
          deliver_policy: DeliverPolicy.All,
          // Unlimited on the server: it would only stop delivering and leave the message in the work queue, unseen. This
          // library counts deliveries itself and moves the message to the dead-letter stream.
          max_deliver: -1,
        });
      } catch (error) {
        if (!hasCode(error, CONSUMER_EXISTS)) throw error;
        await jsm.consumers.update(plan.stream, plan.durable, limits);
      }
    },
    async hasJetStream() {
      try {
        await jsm.getAccountInfo();
        return true;
      } catch (error) {
        const disabled = error instanceof Error && /JetStreamNotEnabled|NoResponders|RequestError/.test(error.name);
        if (disabled || hasCode(error, JetStreamApiCodes.JetStreamNotEnabledForAccount)) return false;
        throw error;
      }
    },
    async flush() {
      if (!connection.isConnected()) throw new Error('not connected');
      await nc.flush();
    },
    async drain() {
      if (nc.isClosed()) return;
      connection.silence();
      if (!connection.isConnected()) return nc.close();
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, DRAIN_TIMEOUT_MS);
      });
      await Promise.race([nc.drain().catch(() => undefined), timeout]);
      clearTimeout(timer);
      if (!nc.isClosed()) await nc.close();
    },
  };
}

function toHeaders(fields: Readonly<Record<string, string>> = {}): MsgHdrs {
  const headers = createHeaders();
  for (const [key, value] of Object.entries(fields)) headers.set(key, value);
  return headers;
}

/** The client package ignores the user part of a URL, so credentials are handed over on their own. */
function readAddress(url: string) {
  const parsed = new URL(url);
  const user = decodeURIComponent(parsed.username);
  const pass = decodeURIComponent(parsed.password);
  const credentials = user === '' ? {} : pass === '' ? { token: user } : { user, pass };
  return { servers: parsed.host, ...credentials, ...(parsed.protocol === 'tls:' ? { tls: {} } : {}) };
}

function watchConnection(nc: NatsConnection) {
  let connected = true;
  const listeners = new Set<(connected: boolean) => void>();
  const change = (now: boolean): void => {
    if (connected === now) return;
    connected = now;
    for (const listener of [...listeners]) listener(now);
  };
  void (async () => {
    for await (const status of nc.status()) {
      if (status.type === 'disconnect') change(false);
      if (status.type === 'reconnect') change(true);
    }
  })();
  void nc.closed().then(() => change(false));
  return {
    isConnected: () => connected && !nc.isClosed(),
    /** An end that was asked for is no outage: nobody is told. */
    silence: () => listeners.clear(),
    onChange(listener: (connected: boolean) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function toIncoming(message: JsMsg): IncomingMessage {
  const id = message.headers?.get(MESSAGE_ID_HEADER);
  return {
    subject: message.subject,
    body: message.data,
    messageId: id === '' ? undefined : id,
    streamSequence: message.info.streamSequence,
    deliveryCount: message.info.deliveryCount,
    waitingCount: message.info.pending,
    ack: () => answer(() => message.ack()),
    nak: (delayMs) => answer(() => message.nak(delayMs)),
    term: () => answer(() => message.term()),
    working: () => answer(() => message.working()),
  };
}

/** A connection that was closed meanwhile refuses answers; the server then delivers the message again. */
function answer(send: () => void): void {
  try {
    send();
  } catch {
    // See IncomingMessage: nothing is lost.
  }
}

function toRetention(plan: StreamPlan): RetentionPolicy {
  return plan.retention === 'work_queue' ? RetentionPolicy.Workqueue : RetentionPolicy.Limits;
}

function toStreamConfig(plan: StreamPlan) {
  return {
    name: plan.name,
    subjects: [...plan.subjects],
    discard: plan.whenFull === 'refuse_new' ? DiscardPolicy.New : DiscardPolicy.Old,
    max_age: nanos(plan.maxAgeSeconds * 1000),
    max_bytes: plan.maxBytes,
    duplicate_window: nanos(plan.duplicateWindowSeconds * 1000),
    num_replicas: plan.replicas,
  };
}

function toStreamPlan(config: StreamConfig): StreamPlan {
  return {
    name: config.name,
    subjects: config.subjects,
    retention: config.retention === RetentionPolicy.Workqueue ? 'work_queue' : 'limits',
    whenFull: config.discard === DiscardPolicy.New ? 'refuse_new' : 'drop_old',
    maxAgeSeconds: config.max_age / 1e9,
    maxBytes: config.max_bytes,
    duplicateWindowSeconds: config.duplicate_window / 1e9,
    replicas: config.num_replicas,
  };
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
