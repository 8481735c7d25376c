import type { MessageName, MessagePayload } from './catalogue.ts';

/**
 * Collects messages that are published after the transaction commits. Operations add to it instead of publishing: a
 * message about rolled-back rows would be false.
 */
export interface HintSink {
  /** Trace of the transaction: its rows and messages continue it. */
  readonly traceparent: string;
  /** Adds a message with a span of its own. */
  add<Name extends MessageName>(name: Name, payload: MessagePayload<Name>): void;
  /** The same sink for work of another trace; null (a row without a trace) keeps the current one. */
  within(traceparent: string | null): HintSink;
}
