import { AppError } from '@steward/contracts';
import protobuf from 'protobufjs/light.js';
import { countFields } from './measure-message.ts';
import type { RawSpan } from './read-spans.ts';
import { ExportTraceServiceRequest, Resource, Span } from './trace-messages.ts';

/** Field numbers on the path to a span. */
const RESOURCE_SPANS = 1;
const RESOURCE = 1;
const SCOPE_SPANS = 2;
const SPANS = 2;
const LENGTH_DELIMITED = 2;

/**
 * Decodes the spans of a protobuf request one at a time: decoding all at once needs two hundred times as much memory as
 * the request itself.
 * @throws bad_request for an invalid request, payload_too_large for more than `mostFields`
 */
export function* decodeTraces(bytes: Uint8Array, mostFields: number): Generator<RawSpan> {
  try {
    if (countFields(ExportTraceServiceRequest, bytes, mostFields) > mostFields) throw refuseFields(mostFields);
    for (const resourceSpans of readField(bytes, RESOURCE_SPANS)) {
      const resource = [...readField(resourceSpans, RESOURCE)].at(-1);
      const decoded = resource === undefined ? undefined : decode(Resource, resource);
      for (const scopeSpans of readField(resourceSpans, SCOPE_SPANS)) {
        for (const span of readField(scopeSpans, SPANS)) yield { resource: decoded, span: decode(Span, span) };
      }
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    const message = 'The request body is not an ExportTraceServiceRequest in protobuf.';
    throw new AppError('bad_request', { message, cause: error });
  }
}

function decode(type: protobuf.Type, bytes: Uint8Array): object {
  const reader = protobuf.Reader.create(bytes);
  reader.discardUnknown = true;
  return type.decode(reader);
}

/** Yields the bytes of each message in the field with this number; skips all other fields. */
function* readField(bytes: Uint8Array, id: number): Generator<Uint8Array> {
  const reader = protobuf.Reader.create(bytes);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === ((id << 3) | LENGTH_DELIMITED)) yield reader.bytes();
    else reader.skipType(tag & 7);
  }
}

function refuseFields(limit: number): AppError {
  const message = `The request has more than ${limit} fields. Send smaller batches.`;
  return new AppError('payload_too_large', { message, detail: { limit } });
}
