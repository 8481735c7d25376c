import { entropy, takeEntropy } from './entropy.ts';

/*
 * W3C Trace Context, level 1: `00-<trace id>-<span id>-<flags>` is 55 characters of lower-case hex. All work caused by
 * one request has its trace id; each hop (request, row, message) has its own span id (ADR 0034).
 */

/** The fields that every version begins with. Version ff is invalid, and so are ids of zeros. */
const FIELDS = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-|$)/;
const TRACE_AT = 3;
const SPAN_AT = 36;
const FLAGS_AT = 52;
const LENGTH = 55;

/** The specification requires that a later version is accepted for its known fields. */
function isTraceparent(header: unknown): header is string {
  return typeof header === 'string' && FIELDS.test(header) && (header.length === LENGTH || !header.startsWith('00'));
}

function drawHex(bytes: number): string {
  const at = takeEntropy(bytes);
  return entropy.toString('hex', at, at + bytes);
}

/** Starts a new trace, for a request without one or for work that no request caused. */
export function beginTrace(): string {
  return `00-${drawHex(16)}-${drawHex(8)}-01`;
}

/**
 * Continues the trace of the sender with a span for this request; starts a new trace if the header is missing or
 * invalid.
 */
export function continueTrace(header: unknown): string {
  if (!isTraceparent(header)) return beginTrace();
  const isSampled = (Number.parseInt(header.slice(FLAGS_AT + 1, LENGTH), 16) & 1) === 1;
  return `00-${header.slice(TRACE_AT, SPAN_AT)}${drawHex(8)}-${isSampled ? '01' : '00'}`;
}

/** The next hop in the same trace. Accepts only values of `beginTrace`, `continueTrace` or this function. */
export function nextSpan(traceparent: string): string {
  return `${traceparent.slice(0, SPAN_AT)}${drawHex(8)}${traceparent.slice(FLAGS_AT)}`;
}

/** Trace id for the log; undefined if the value is no trace context. */
export function readTraceId(traceparent: unknown): string | undefined {
  return isTraceparent(traceparent) ? traceparent.slice(TRACE_AT, SPAN_AT - 1) : undefined;
}
