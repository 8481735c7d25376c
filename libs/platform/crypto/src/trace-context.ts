import { entropy, takeEntropy } from './entropy.ts';

/*
 * W3C Trace Context, level 1: `00-<trace id>-<span id>-<flags>` has 55 characters; its digits are lower-case hex. All
 * work caused by one request has the same trace id; each step (request, row, message) has its own span id (ADR 0034).
 */

/**
 * Matches the fields with which a header of any version begins. Version ff and ids that consist of zeros are invalid.
 */
const FIELDS = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-|$)/;
const TRACE_AT = 3;
const SPAN_AT = 36;
const FLAGS_AT = 52;
const LENGTH = 55;

/**
 * Returns whether a header is a valid trace context. As the specification requires, headers of later versions are
 * accepted; only their known fields are used.
 */
export function isTraceparent(header: unknown): header is string {
  return typeof header === 'string' && FIELDS.test(header) && (header.length === LENGTH || !header.startsWith('00'));
}

function drawHex(bytes: number): string {
  const at = takeEntropy(bytes);
  return entropy.toString('hex', at, at + bytes);
}

/**
 * Decides whether a trace is sampled.
 * @param isParentSampled - decision of the sender; undefined if the trace begins here
 */
export type SampleTrace = (traceId: string, isParentSampled: boolean | undefined) => boolean;

const followSender: SampleTrace = (_traceId, isParentSampled = true) => isParentSampled;
let sampleTrace = followSender;

/**
 * Sets the sampling rule of this process. Without a rule, traces that begin here are sampled, and other traces follow
 * the sender's decision.
 */
export function setTraceSampling(sample: SampleTrace | undefined): void {
  sampleTrace = sample ?? followSender;
}

/** Starts a new trace, for a request without a trace context or for work that no request caused. */
export function beginTrace(): string {
  const traceId = drawHex(16);
  return `00-${traceId}-${drawHex(8)}-${sampleTrace(traceId, undefined) ? '01' : '00'}`;
}

/**
 * Continues the trace of the sender with a span for this request; starts a new trace if the header is missing or
 * invalid.
 */
export function continueTrace(header: unknown): string {
  if (!isTraceparent(header)) return beginTrace();
  const isParentSampled = (Number.parseInt(header.slice(FLAGS_AT + 1, LENGTH), 16) & 1) === 1;
  const isSampled = sampleTrace(header.slice(TRACE_AT, SPAN_AT - 1), isParentSampled);
  return `00-${header.slice(TRACE_AT, SPAN_AT)}${drawHex(8)}-${isSampled ? '01' : '00'}`;
}

/** Creates the next span in the same trace. Accepts only values of `beginTrace`, `continueTrace` or this function. */
export function nextSpan(traceparent: string): string {
  return `${traceparent.slice(0, SPAN_AT)}${drawHex(8)}${traceparent.slice(FLAGS_AT)}`;
}

/** Returns the log fields of a trace; empty if the value is not a trace context. */
export function describeTrace(traceparent: unknown): { readonly trace_id?: string; readonly span_id?: string } {
  return isTraceparent(traceparent) ? nameTrace(traceparent) : {};
}

/** Returns the log fields of a trace. Accepts only values of `beginTrace`, `continueTrace` or `nextSpan`. */
export function nameTrace(traceparent: string): { readonly trace_id: string; readonly span_id: string } {
  return { trace_id: traceparent.slice(TRACE_AT, SPAN_AT - 1), span_id: traceparent.slice(SPAN_AT, FLAGS_AT) };
}

/** Returns the trace id; undefined if the value is not a trace context. */
export function readTraceId(traceparent: unknown): string | undefined {
  return isTraceparent(traceparent) ? traceparent.slice(TRACE_AT, SPAN_AT - 1) : undefined;
}
