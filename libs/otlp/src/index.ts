/**
 * OTLP/HTTP: parses requests with traces, in JSON and protobuf, into spans; encodes the responses in the encoding of
 * the request. Not here: HTTP itself, what a span means (session-formats). Used by: api-gateway, for its OpenTelemetry
 * routes; session-formats.
 */
export { encodeStatus, encodeTraceAnswer, MEDIA_TYPES, readEncoding, type OtlpEncoding } from './answers.ts';
export { decodeTraces } from './decode-traces.ts';
export { listJsonSpans, readSpans, type ReadSpans } from './read-spans.ts';
export type { OtlpAttributes, OtlpEvent, OtlpSpan } from './otlp-span.ts';
