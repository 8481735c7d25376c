import type { Static, TSchema } from '@sinclair/typebox';
import type { AppName } from './app-names.ts';

/** Settings of the durable JetStream consumer of one message. */
export interface ConsumerContract {
  /** The app that handles the message: no other app may read it. */
  readonly app: AppName;
  /** Durable name: under 32 characters, without `.`, `*`, `>` and `/` (they are illegal in a durable). */
  readonly durable: string;
  /**
   * Time that a handler may stay silent before the broker redelivers the message. The consumer reports progress every
   * third of it.
   */
  readonly ackWaitSeconds: number;
  /** Deliveries before the message goes to the dead-letter stream. */
  readonly maxDeliver: number;
  /** Upper bound of unacknowledged messages over all processes of the consumer. */
  readonly maxAckPending: number;
  /** The app may remove waiting messages unread (`dropBeyond`); only for hints. */
  readonly dropsWaiting?: boolean;
}

/** One typed message: everything that publisher, consumer and documentation need to agree on. */
export interface MessageContract<Name extends string = string, Schema extends TSchema = TSchema> {
  readonly name: Name;
  /**
   * `steward.<slice>.<message>.v<N>`: any change except an added optional field needs a new version and a new subject.
   */
  readonly subject: string;
  readonly stream: string;
  readonly version: number;
  readonly description: string;
  /** Apps that may publish it. */
  readonly publishers: readonly AppName[];
  readonly schema: Schema;
  /**
   * Business key, sent as `Nats-Msg-Id`: two publications of the same fact are merged inside the stream's duplicate
   * window. Never random, or a publisher's retry would not be recognized.
   */
  readonly messageId: (payload: Static<Schema>) => string;
  readonly consumer: ConsumerContract;
}

/** Infers the type of `messageId` from the schema. */
export function defineMessage<Name extends string, Schema extends TSchema>(
  contract: MessageContract<Name, Schema>,
): MessageContract<Name, Schema> {
  return contract;
}
