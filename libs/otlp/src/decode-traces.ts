import { AppError } from '@steward/contracts';
import protobuf from 'protobufjs/light.js';
import { countFields } from './measure-message.ts';
import { ExportTraceServiceRequest } from './trace-messages.ts';

/**
 * A protobuf request as the object it stands for: `readSpans` takes it like one that was JSON.
 * @throws bad_request for what is no such request, payload_too_large for more than `mostFields`
 */
export function decodeTraces(bytes: Uint8Array, mostFields: number): unknown {
  try {
    const fields = countFields(ExportTraceServiceRequest, bytes, mostFields);
    if (fields > mostFields) throw refuseFields(mostFields);
    const reader = protobuf.Reader.create(bytes);
    reader.discardUnknown = true;
    return ExportTraceServiceRequest.decode(reader);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const message = 'The request body is no ExportTraceServiceRequest in protobuf.';
    throw new AppError('bad_request', { message, cause: error });
  }
}

function refuseFields(limit: number): AppError {
  const message = `The request has more than ${limit} fields. Send smaller batches.`;
  return new AppError('payload_too_large', { message, detail: { limit } });
}
