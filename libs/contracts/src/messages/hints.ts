import type { MessageName, MessagePayload } from './catalogue.ts';

/**
 * Collects messages that are published after the transaction commits. Operations add messages to it instead of
 * publishing them: a message would be wrong if the transaction with its rows were rolled back.
 */
export interface HintSink {
  /** Trace of the transaction; the transaction's rows and messages continue this trace. */
  readonly traceparent: string;
  /** Adds a message with a new span. */
  add<Name extends MessageName>(name: Name, payload: MessagePayload<Name>): void;
  /**
   * Returns a sink that collects into the same list for another trace; for null (a row without a trace), the sink has
   * the trace of this one.
   */
  within(traceparent: string | null): HintSink;
}
