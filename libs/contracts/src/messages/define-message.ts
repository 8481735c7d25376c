import type { Static, TSchema } from '@sinclair/typebox';
import type { AppName } from './app-names.ts';

/** Settings of the durable JetStream consumer of one message. */
export interface ConsumerContract {
  /** The only app that handles the message and may read it. */
  readonly app: AppName;
  /**
   * Name of the durable consumer: fewer than 32 characters, without `.`, `*`, `>` and `/`, which the broker does not
   * allow.
   */
  readonly durable: string;
  /**
   * Seconds without a progress report after which the broker redelivers the message. The consumer reports progress
   * whenever a third of this time has passed.
   */
  readonly ackWaitSeconds: number;
  /** Lowest delivery count at which a failure of the handler moves the message to the dead-letter stream. */
  readonly maxDeliver: number;
  /** Maximum number of unacknowledged messages across all processes of the consumer. */
  readonly maxAckPending: number;
  /** Whether the app may remove waiting messages unread (`dropBeyond`); allowed only for messages that may be lost. */
  readonly dropsWaiting?: boolean;
}

/** One typed message, with all properties on which publisher, consumer and documentation have to agree. */
export interface MessageContract<Name extends string = string, Schema extends TSchema = TSchema> {
  readonly name: Name;
  /**
   * Subject `steward.<slice>.<message>.v<N>`: any change except adding an optional field requires a new version and a
   * new subject.
   */
  readonly subject: string;
  readonly stream: string;
  readonly version: number;
  readonly description: string;
  /** Apps that may publish the message. */
  readonly publishers: readonly AppName[];
  readonly schema: Schema;
  /**
   * Returns the business key, sent as `Nats-Msg-Id`: two messages about the same fact are deduplicated within the
   * stream's duplicate window. It must not be random, since otherwise a publisher's retry would not be recognized.
   */
  readonly messageId: (payload: Static<Schema>) => string;
  readonly consumer: ConsumerContract;
}

/** Defines a message; infers the parameter type of `messageId` from the schema. */
export function defineMessage<Name extends string, Schema extends TSchema>(
  contract: MessageContract<Name, Schema>,
): MessageContract<Name, Schema> {
  return contract;
}
