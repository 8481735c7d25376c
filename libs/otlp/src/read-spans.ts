import { AppError } from '@steward/contracts';
import type { OtlpAttributes, OtlpSpan } from './otlp-span.ts';
import { InvalidSpanError, readAttributes, readId, readNanos, toFields, toList, type Fields } from './read-value.ts';

export interface ReadSpans {
  readonly spans: readonly OtlpSpan[];
  /** Those that are none, with what is wrong with the first. */
  readonly rejected: number;
  readonly reason: string | undefined;
}

const ERROR = 2;

/**
 * The spans of a request, from its JSON or its decoded message. `keep` sees each before the next is read: of a request with
 * thousands, those it does not want are no burden. @throws bad_request for what is no such request
 */
export function readSpans(request: unknown, keep: (span: OtlpSpan) => boolean = () => true): ReadSpans {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) throw refuseForm();
  const spans: OtlpSpan[] = [];
  let rejected = 0;
  let reason: string | undefined;
  for (const { span, resource } of walkSpans(request as Fields)) {
    try {
      const read = readSpan(toFields(span), resource);
      if (keep(read)) spans.push(read);
    } catch (error) {
      if (!(error instanceof InvalidSpanError)) throw error;
      rejected += 1;
      reason ??= error.message;
    }
  }
  return { spans, rejected, reason };
}

function* walkSpans(request: Fields): Generator<{ span: unknown; resource: OtlpAttributes }> {
  for (const each of takeList(request['resourceSpans'])) {
    const fields = toFields(each);
    const resource = readResource(toFields(fields['resource']));
    for (const scope of takeList(fields['scopeSpans'])) {
      for (const span of takeList(toFields(scope)['spans'])) yield { span, resource };
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
  if (traceId === undefined) throw new InvalidSpanError('a trace id is not 16 bytes, or zero');
  if (spanId === undefined) throw new InvalidSpanError('a span id is not 8 bytes, or zero');
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
  return new AppError('bad_request', { message: 'The request body is no ExportTraceServiceRequest.', cause });
}
