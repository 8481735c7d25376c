/**
 * The part of NATS that the rest of this library uses, with seconds and milliseconds instead of nanoseconds, and
 * without types of the client packages.
 */

/** Settings of a stream that this product configures; all others have the server's defaults. */
export interface StreamPlan {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly retention: 'work_queue' | 'limits';
  /** Behavior of a full stream: reject the new message or drop the oldest one. */
  readonly whenFull: 'refuse_new' | 'drop_old';
  readonly maxAgeSeconds: number;
  readonly maxBytes: number;
  readonly duplicateWindowSeconds: number;
  readonly replicas: number;
}

export interface ConsumerPlan {
  readonly stream: string;
  readonly durable: string;
  readonly subject: string;
  readonly ackWaitSeconds: number;
  readonly maxAckPending: number;
}

/** Numbers of messages that a consumer still has to handle. */
export interface ConsumerLag {
  /** Number of messages not yet delivered to any process. */
  readonly waiting: number;
  /** Number of messages delivered to a process that has not acknowledged them yet. */
  readonly unacknowledged: number;
}

/** Backlog of a work queue: messages that wait, and messages that were received but not acknowledged yet. */
export interface StreamBacklog {
  readonly messages: number;
  /** Publication time of the oldest message; undefined if the queue is empty. */
  readonly oldestAt: Date | undefined;
}

/**
 * One delivery of a message. The server does not confirm the four kinds of acknowledgements: if one is lost, the only
 * effect is another delivery.
 */
export interface IncomingMessage {
  readonly subject: string;
  readonly body: Uint8Array;
  readonly messageId: string | undefined;
  readonly streamSequence: number;
  /** Number of deliveries of the message, including this one: 1 for the first. */
  readonly deliveryCount: number;
  /** Number of messages that the consumer had not received yet when this one was sent. */
  readonly waitingCount: number;
  ack(): void;
  nak(delayMs: number): void;
  term(): void;
  working(): void;
}

/**
 * Requested messages. The batch ends by itself when it is full or has expired; it throws if the stream or the consumer
 * no longer exists.
 */
export interface MessageBatch extends AsyncIterable<IncomingMessage> {
  close(): Promise<void>;
}

export interface OutgoingMessage {
  readonly subject: string;
  readonly body: Uint8Array;
  readonly messageId: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export interface NatsClient {
  isConnected(): boolean;
  /**
   * Registers a listener that is called after every change of `isConnected`. Returns the function that ends the
   * subscription.
   */
  onConnectionChange(listener: (connected: boolean) => void): () => void;
  /**
   * Sets the listener that is called for each operation that the server denied to this user; a rejected acknowledgement
   * is reported only here.
   */
  onDenied(listener: (denied: { readonly operation: string; readonly subject: string }) => void): void;
  /**
   * Publishes a message and waits for the acknowledgement of the stream.
   * @throws StreamMissingError if no stream has this subject
   */
  publish(message: OutgoingMessage): Promise<{ readonly sequence: number; readonly duplicate: boolean }>;
  /**
   * Sends the message without requesting an acknowledgement.
   * @throws on a closed connection
   */
  send(message: Omit<OutgoingMessage, 'timeoutMs'>): void;
  fetch(
    plan: ConsumerPlan,
    limits: { readonly maxMessages: number; readonly expiresMs: number },
  ): Promise<MessageBatch>;
  /**
   * Removes every unhandled message of the consumer's subject from its stream. Returns the number of removed messages.
   */
  purge(plan: ConsumerPlan): Promise<number>;
  findStream(name: string): Promise<StreamPlan | undefined>;
  createStream(plan: StreamPlan): Promise<'created' | 'exists'>;
  /**
   * Changes the settings of a stream.
   * @throws PermissionDeniedError
   */
  updateStream(plan: StreamPlan): Promise<void>;
  upsertConsumer(plan: ConsumerPlan): Promise<void>;
  readLag(plan: ConsumerPlan): Promise<ConsumerLag>;
  readBacklog(stream: string): Promise<StreamBacklog>;
  hasJetStream(): Promise<boolean>;
  /** Makes one round trip to the server. */
  flush(): Promise<void>;
  /** Sends the buffered messages and closes the connection; closes it immediately if the server is unavailable. */
  drain(): Promise<void>;
}

/** Error if the server denies the operation to this user. */
export class PermissionDeniedError extends Error {
  constructor(subject: string, options: { cause: unknown }) {
    super(`the broker's user may not use ${subject}`, options);
    this.name = 'PermissionDeniedError';
  }
}

/**
 * Error if the server cannot store the requested number of replicas, for example because the cluster has too few
 * servers.
 */
export class ReplicasRefusedError extends Error {
  constructor(options: { cause: Error }) {
    super(options.cause.message, options);
    this.name = 'ReplicasRefusedError';
  }
}

export class StreamMissingError extends Error {
  constructor(subject: string, options: { cause: unknown }) {
    super(`no stream stores messages of the subject ${subject}`, options);
    this.name = 'StreamMissingError';
  }
}
