import { parseJsonText } from '@steward/http';
import { decodeTraces, listJsonSpans, readSpans, type OtlpEncoding, type OtlpSpan } from '@steward/otlp';
import { findSpanKind, findUnread, leaveOutBlobs, type UnreadSpan } from '@steward/session-formats';
import { findOversizedText } from '@steward/api';

export interface TraceRequest {
  /** Spans of model calls, tool calls, agents and their steps. */
  readonly spans: readonly OtlpSpan[];
  readonly ignored: number;
  readonly rejected: number;
  readonly reason: string | undefined;
  /**
   * Agent spans that are recognized by their attributes but have no known content: they are ignored, or stored without
   * content.
   */
  readonly unread: readonly UnreadSpan[];
}

/**
 * Maximum number of protobuf messages, or of JSON values, on all levels together (LIM-57). 8192 spans with twenty
 * attributes contain 700,000 of them.
 */
const MOST_FIELDS = 1_000_000;

/** Reads the spans of a request. @throws bad_request, malformed_json, payload_too_large */
export function readTraceRequest(bytes: Buffer, encoding: OtlpEncoding): TraceRequest {
  const raw =
    encoding === 'protobuf' ? decodeTraces(bytes, MOST_FIELDS) : listJsonSpans(parseJsonText(bytes, MOST_FIELDS).value);
  let ignored = 0;
  const unread: UnreadSpan[] = [];
  const read = readSpans(raw, (span) => {
    const found = findUnread(span);
    if (found !== undefined) unread.push(found);
    if (findSpanKind(span) === undefined) {
      ignored += 1;
      return false;
    }
    return true;
  });
  // Long base64 data is removed before the limit is checked: only stored content counts.
  const light = read.spans.map((span): OtlpSpan => (isTooLong(span) ? { ...span, ...leaveOut(span) } : span));
  const spans = light.filter((span) => !isTooLong(span));
  const tooLong = light.length - spans.length;
  return {
    spans,
    ignored,
    unread,
    rejected: read.rejected + tooLong,
    reason: read.reason ?? (tooLong === 0 ? undefined : 'an attribute is longer than 2 MiB'),
  };
}

function leaveOut({ attributes, events }: OtlpSpan) {
  return leaveOutBlobs({ attributes, events }) as Pick<OtlpSpan, 'attributes' | 'events'>;
}

function isTooLong({ attributes, events }: OtlpSpan): boolean {
  return [attributes, events].some((part) => findOversizedText(part) !== undefined);
}

/** Maximum number of attributes that are named in one response. */
const MOST_NAMED = 5;
const MOST_NAME_CHARS = 80;

/**
 * Returns a message for the exporter's log about rejected spans and about unrecognized content; undefined if there are
 * none.
 */
export function describePartial({ rejected, reason, unread }: TraceRequest): string | undefined {
  const names = [...new Set(unread.map(({ attribute }) => attribute.slice(0, MOST_NAME_CHARS)))];
  const more = names.length > MOST_NAMED ? ', ...' : '';
  const passed =
    unread.length === 0
      ? undefined
      : `${unread.length} spans have texts in attributes that are not read: ${names.slice(0, MOST_NAMED).join(', ')}${more}`;
  const parts = [rejected === 0 ? undefined : reason, passed].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join('; ');
}
