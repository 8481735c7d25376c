import type { MessageName, MessagePayload } from './catalogue.ts';

/**
 * Collects the messages to publish once the transaction that produced them is committed. An operation adds to it
 * instead of publishing itself: a message about rows that were rolled back would be a lie.
 */
export interface HintSink {
  /** What the transaction belongs to: its rows and messages go on in this trace. */
  readonly traceparent: string;
  /** The message gets a span of its own. */
  add<Name extends MessageName>(name: Name, payload: MessagePayload<Name>): void;
  /** The same sink for work of another trace; null, of a row from before traces: for the trace it has. */
  within(traceparent: string | null): HintSink;
}
