import { AppError } from '@steward/contracts';
import type { OtlpAttributes, OtlpSpan } from './otlp-span.ts';
import {
  INVALID,
  InvalidSpanError,
  readAttributes,
  readId,
  readNanos,
  toFields,
  toList,
  type Fields,
} from './read-value.ts';

export interface ReadSpans {
  readonly spans: readonly OtlpSpan[];
  /** Number of invalid spans; `reason` describes the fault of the first one. */
  readonly rejected: number;
  readonly reason: string | undefined;
}

const ERROR = 2;

/** A span and its resource, as JSON or decoded messages. */
export interface RawSpan {
  readonly resource: unknown;
  readonly span: unknown;
}

/**
 * Parses spans one by one, and returns those that `keep` accepts.
 * @throws bad_request for an invalid resource
 */
export function readSpans(raw: Iterable<RawSpan>, keep: (span: OtlpSpan) => boolean = () => true): ReadSpans {
  const spans: OtlpSpan[] = [];
  const resources = new Map<unknown, OtlpAttributes>();
  let rejected = 0;
  let reason: string | undefined;
  for (const { resource, span } of raw) {
    const attributes = resources.get(resource) ?? readResource(toFields(resource));
    resources.set(resource, attributes);
    try {
      const read = readSpan(toFields(span), attributes);
      if (keep(read)) spans.push(read);
    } catch (error) {
      if (!(error instanceof InvalidSpanError)) throw error;
      rejected += 1;
      reason ??= error.message;
    }
  }
  return { spans, rejected, reason };
}

/**
 * Yields the spans of a request in JSON.
 * @throws bad_request for an invalid request
 */
export function* listJsonSpans(request: unknown): Generator<RawSpan> {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) throw refuseForm();
  for (const each of takeList((request as Fields)['resourceSpans'])) {
    const { resource, scopeSpans } = toFields(each);
    for (const scope of takeList(scopeSpans)) {
      for (const span of takeList(toFields(scope)['spans'])) yield { resource, span };
    }
  }
}

function takeList(value: unknown): readonly unknown[] {
  try {
    return toList(value);
  } catch (error) {
    throw refuseForm(error);
  }
}

function readResource({ attributes }: Fields): OtlpAttributes {
  try {
    return readAttributes(attributes);
  } catch (error) {
    throw refuseForm(error);
  }
}

function readSpan(span: Fields, resource: OtlpAttributes): OtlpSpan {
  const traceId = readId(span['traceId'], 16);
  const spanId = readId(span['spanId'], 8);
  if (traceId === undefined) throw INVALID.traceId;
  if (spanId === undefined) throw INVALID.spanId;
  const status = toFields(span['status']);
  return {
    traceId,
    spanId,
    parentSpanId: readId(span['parentSpanId'], 8),
    name: toText(span['name']),
    startNanos: readNanos(span['startTimeUnixNano']),
    endNanos: readNanos(span['endTimeUnixNano']),
    attributes: readAttributes(span['attributes']),
    events: toList(span['events']).map((event) => {
      const fields = toFields(event);
      return { name: toText(fields['name']), attributes: readAttributes(fields['attributes']) };
    }),
    isError: status['code'] === ERROR,
    statusMessage: toText(status['message']),
    resource,
  };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function refuseForm(cause?: unknown): AppError {
  return new AppError('bad_request', { message: 'The request body is not an ExportTraceServiceRequest.', cause });
}
