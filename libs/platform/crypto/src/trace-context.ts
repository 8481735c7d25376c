import { entropy, takeEntropy } from './entropy.ts';

/*
 * W3C Trace Context, level 1: `00-<trace id>-<span id>-<flags>` is 55 characters of lower-case hex. All work that one request
 * set off has its trace id; each hop (request, row, message) has a span id of its own (ADR 0034).
 */

/** The fields every version begins with. Version ff is none, and ids of zeros stand for nothing. */
const FIELDS = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-|$)/;
const TRACE_AT = 3;
const SPAN_AT = 36;
const FLAGS_AT = 52;
const LENGTH = 55;

/** As the specification says: of a later version what is known of it counts. */
function isTraceparent(header: unknown): header is string {
  return typeof header === 'string' && FIELDS.test(header) && (header.length === LENGTH || !header.startsWith('00'));
}

function drawHex(bytes: number): string {
  const at = takeEntropy(bytes);
  return entropy.toString('hex', at, at + bytes);
}

/** A new trace, of a request that came without one or of work that nobody asked for. */
export function beginTrace(): string {
  return `00-${drawHex(16)}-${drawHex(8)}-01`;
}

/** The request's own hop in the trace its sender named; a new trace when it named none, or in a form that is none. */
export function continueTrace(header: unknown): string {
  if (!isTraceparent(header)) return beginTrace();
  const isSampled = (Number.parseInt(header.slice(FLAGS_AT + 1, LENGTH), 16) & 1) === 1;
  return `00-${header.slice(TRACE_AT, SPAN_AT)}${drawHex(8)}-${isSampled ? '01' : '00'}`;
}

/** The next hop in the same trace. Only for what `beginTrace`, `continueTrace` or this made. */
export function nextSpan(traceparent: string): string {
  return `${traceparent.slice(0, SPAN_AT)}${drawHex(8)}${traceparent.slice(FLAGS_AT)}`;
}

/** For the log; undefined for what is no trace context. */
export function readTraceId(traceparent: unknown): string | undefined {
  return isTraceparent(traceparent) ? traceparent.slice(TRACE_AT, SPAN_AT - 1) : undefined;
}
