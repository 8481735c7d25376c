import { parseJsonText } from '@steward/http';
import { decodeTraces, listJsonSpans, readSpans, type OtlpEncoding, type OtlpSpan } from '@steward/otlp';
import { findSpanKind } from '@steward/session-formats';
import { findOversizedText } from '../api/sessions/text-limit.ts';

export interface TraceRequest {
  /** Those that tell of agents, models and tools. */
  readonly spans: readonly OtlpSpan[];
  readonly ignored: number;
  readonly rejected: number;
  readonly reason: string | undefined;
}

/** Of messages, or values of JSON, all levels together (LIM-57). 8192 spans with twenty attributes have 700,000. */
const MOST_FIELDS = 1_000_000;

/** @throws bad_request, malformed_json, payload_too_large */
export function readTraceRequest(bytes: Buffer, encoding: OtlpEncoding): TraceRequest {
  const raw =
    encoding === 'protobuf' ? decodeTraces(bytes, MOST_FIELDS) : listJsonSpans(parseJsonText(bytes, MOST_FIELDS).value);
  let [ignored, tooLong] = [0, 0];
  const read = readSpans(raw, (span) => {
    if (findSpanKind(span) === undefined) {
      ignored += 1;
      return false;
    }
    const isTooLong = [span.attributes, span.events].some((part) => findOversizedText(part) !== undefined);
    tooLong += isTooLong ? 1 : 0;
    return !isTooLong;
  });
  return {
    spans: read.spans,
    ignored,
    rejected: read.rejected + tooLong,
    reason: read.reason ?? (tooLong === 0 ? undefined : 'an attribute has more than 2 MiB of text'),
  };
}
