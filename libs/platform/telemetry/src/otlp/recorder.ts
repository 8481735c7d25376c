import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Tracer,
} from '@opentelemetry/api';
import type { IdGenerator } from '@opentelemetry/sdk-trace';
import type { OpenSpan, SpanRecorder } from '../span.ts';

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);

/** Generator that returns the ids of the span that is about to start; they are taken from the span's trace context. */
export class DrawnIds implements IdGenerator {
  #traceId = NO_TRACE;
  #spanId = NO_SPAN;

  /** Makes the next span take the ids of this trace context. */
  use(traceparent: string): void {
    this.#traceId = readTrace(traceparent);
    this.#spanId = readSpan(traceparent);
  }

  generateTraceId(): string {
    return this.#traceId;
  }

  generateSpanId(): string {
    return this.#spanId;
  }
}

const readTrace = (traceparent: string): string => traceparent.slice(3, 35);
const readSpan = (traceparent: string): string => traceparent.slice(36, 52);

/** Creates a recorder, which starts spans of OpenTelemetry with the ids of trace contexts. */
export function createRecorder(tracer: Tracer, ids: DrawnIds): SpanRecorder {
  return {
    start({ name, kind, attributes = {}, traceparent, parent, startTime }) {
      ids.use(traceparent);
      const options = { kind: KINDS[kind], attributes, ...(startTime === undefined ? {} : { startTime }) };
      const span = tracer.startSpan(name, options, placeAfter(parent, traceparent));
      let endedAt: number | undefined;
      const open: OpenSpan = {
        traceparent,
        get endedAt() {
          return endedAt;
        },
        rename: (next) => void span.updateName(next),
        set: (more) => void span.setAttributes(more),
        end(errorType) {
          if (errorType !== undefined)
            span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', errorType);
          endedAt = performance.now();
          span.end();
        },
      };
      return open;
    },
  };
}

/**
 * Returns the context with the parent of a span. A parent of another trace is ignored: for example, the replay of an
 * event belongs to the trace of the request for the replay, not to that of the event.
 */
function placeAfter(parent: string | undefined, traceparent: string): Context {
  if (parent === undefined || readTrace(parent) !== readTrace(traceparent)) return ROOT_CONTEXT;
  const traceFlags = TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId: readTrace(parent), spanId: readSpan(parent), traceFlags });
}
