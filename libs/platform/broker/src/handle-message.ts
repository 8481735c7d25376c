import { describeTrace } from '@steward/crypto';
import type { Logger } from '@steward/process';
import { inSpan, type SpanStart } from '@steward/telemetry';
import type { BrokerMetrics, HandledOutcome } from './broker-metrics.ts';
import type { AnyContract } from './catalogue.ts';
import type { MessageCodec } from './message-codec.ts';
import type { IncomingMessage } from './nats/nats-types.ts';
import { computeDeliveryCeiling, settleFailure, type RetryDelay, type Settlement } from './settlement.ts';

export interface MessageContext {
  /** Business key that the publisher set (`Nats-Msg-Id`); without one, the stream and the sequence number. */
  readonly messageId: string;
  /** Number of deliveries of the message, including this one: 1 for the first. */
  readonly deliveryCount: number;
  /**
   * Logger that adds `message`, `message_id` and, if the message contains a trace context, `trace_id` and `span_id` to
   * every line.
   */
  readonly logger: Logger;
}

/**
 * Handles a message. Returns when the work is done; throws `RetryLater`, `PoisonMessage` or any other error. The
 * handler never acknowledges the message itself.
 */
export type MessageHandler<Payload> = (payload: Payload, context: MessageContext) => Promise<void> | void;

export interface HandleDeps {
  readonly contract: AnyContract;
  readonly codec: MessageCodec;
  readonly handler: MessageHandler<never>;
  readonly retryDelay: RetryDelay;
  readonly storeDeadLetter: (message: IncomingMessage, reason: string) => Promise<void>;
  readonly logger: Logger;
  readonly metrics: BrokerMetrics;
}

export interface RunningMessage {
  /** Resolves when the message has been handled; never rejects. */
  readonly done: Promise<void>;
  /**
   * Returns the message to the broker immediately, for a stop that cannot wait for the handler. The result of the
   * handler is then ignored.
   */
  abandon(): void;
}

const LEVELS = { ok: 'debug', retried: 'warn', abandoned: 'warn', dead_lettered: 'error' } as const;

/** Handles one message from delivery to acknowledgement, with one log line `message.handled`. */
export function handleMessage(message: IncomingMessage, deps: HandleDeps): RunningMessage {
  const { contract } = deps;
  const startedAt = performance.now();
  const messageId = message.messageId ?? `${contract.stream}:${message.streamSequence}`;
  let answered = false;

  // The broker redelivers the message if it receives no progress report for the duration of ackWait. The interval is a
  // third of ackWait, so one report may be lost.
  const progress = setInterval(() => message.working(), (contract.consumer.ackWaitSeconds * 1000) / 3);

  function finish(outcome: HandledOutcome, fields: Readonly<Record<string, unknown>>): void {
    if (answered) return;
    answered = true;
    clearInterval(progress);
    deps.metrics.countHandled(contract.name, outcome);
    deps.logger[LEVELS[outcome]]('message.handled', {
      message: contract.name,
      message_id: messageId,
      delivery_count: message.deliveryCount,
      duration_ms: Math.round(performance.now() - startedAt),
      outcome,
      ...fields,
    });
  }

  async function answer({ settlement, error, trace = {} }: Handled): Promise<void> {
    if (answered) return;
    const cause = error === undefined ? trace : { ...trace, error };
    if (settlement.kind === 'ack') {
      message.ack();
      return finish('ok', cause);
    }
    if (settlement.kind === 'retry') {
      message.nak(settlement.delayMs);
      return finish('retried', { retry_in_ms: settlement.delayMs, ...cause });
    }
    try {
      // The copy is stored first, because a terminated message of a work queue is deleted.
      await deps.storeDeadLetter(message, settlement.reason);
    } catch (copyError) {
      if (answered) return;
      const delayMs = deps.retryDelay(message.deliveryCount);
      message.nak(delayMs);
      return finish('retried', {
        retry_in_ms: delayMs,
        reason: 'the dead letter could not be stored',
        ...trace,
        error: copyError,
      });
    }
    if (answered) return;
    message.term();
    finish('dead_lettered', { reason: settlement.reason, ...cause });
  }

  return {
    done: decide(message, messageId, deps).then(answer),
    abandon() {
      if (answered) return;
      message.nak(0);
      finish('abandoned', { reason: 'the process stopped before the handler ended' });
    },
  };
}

interface Handled {
  readonly settlement: Settlement;
  readonly error?: unknown;
  /** Trace context for the log, if the payload contains one. */
  readonly trace?: Readonly<Record<string, string>>;
}

function readTrace(payload: unknown): unknown {
  return (payload as { readonly traceparent?: unknown } | null)?.traceparent;
}

/**
 * Describes the span for handling a message, which is a child of the message's own span. A message without a trace gets
 * no span.
 */
function describeSpan({ contract, message, messageId, payload }: Decoded): SpanStart {
  const traceparent = readTrace(payload);
  return {
    name: `process ${contract.name}`,
    kind: 'consumer',
    parent: typeof traceparent === 'string' ? traceparent : null,
    attributes: {
      'messaging.system': 'nats',
      'messaging.destination.name': contract.name,
      'messaging.consumer.group.name': contract.consumer.durable,
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.message.id': messageId,
      'steward.message.delivery_count': message.deliveryCount,
    },
  };
}

interface Decoded {
  readonly contract: AnyContract;
  readonly message: IncomingMessage;
  readonly messageId: string;
  readonly payload: unknown;
}

/** Runs the handler and decides how the message is settled; never rejects. */
async function decide(message: IncomingMessage, messageId: string, deps: HandleDeps): Promise<Handled> {
  const { contract } = deps;
  const { maxDeliver } = contract.consumer;
  if (message.deliveryCount > computeDeliveryCeiling(maxDeliver)) {
    return {
      settlement: { kind: 'dead_letter', reason: `delivered ${message.deliveryCount - 1} times without an outcome` },
    };
  }
  const decoded = deps.codec.decode(message.body);
  if (decoded.kind === 'invalid') return { settlement: { kind: 'dead_letter', reason: decoded.reason } };
  const { payload } = decoded;
  let trace = describeTrace(readTrace(payload));
  try {
    await inSpan(describeSpan({ contract, message, messageId, payload }), async (span) => {
      if (span !== undefined) trace = describeTrace(span.traceparent);
      const logger = deps.logger.child({ message: contract.name, message_id: messageId, ...trace });
      await deps.handler(payload as never, { messageId, deliveryCount: message.deliveryCount, logger });
    });
    return { settlement: { kind: 'ack' }, trace };
  } catch (error) {
    const { deliveryCount } = message;
    const settlement = settleFailure(error, { deliveryCount, maxDeliver, retryDelay: deps.retryDelay });
    return { settlement, error, trace };
  }
}
