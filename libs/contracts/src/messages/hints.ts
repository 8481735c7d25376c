import type { MessageName, MessagePayload } from './catalogue.ts';

/**
 * Collects the messages to publish once the transaction that produced them is committed. An operation adds to it
 * instead of publishing itself: a message about rows that were rolled back would be a lie.
 */
export interface HintSink {
  add<Name extends MessageName>(name: Name, payload: MessagePayload<Name>): void;
}
