import type { IncomingHttpHeaders } from 'node:http';
import { parseJsonText, readMediaType, requireJson } from '@steward/http';
import { AppError } from '@steward/contracts';
import type { WebhookSource } from '@steward/flows';
import { isPayload, type Payload } from './payload.ts';

const FORM = 'application/x-www-form-urlencoded';

/**
 * Reads the payload of a request from a source: JSON, JSON with another media type that the source uses, or a form. The
 * payload of a form is the JSON in its field `payload` or, without this field, an object of all its fields.
 * @throws for any other media type, invalid JSON, and any value that is not an object
 */
export function readSourceBody(source: WebhookSource, headers: IncomingHttpHeaders, rawBody: Buffer): Payload {
  const value = readValue(source, headers, rawBody);
  const payload = source.wrap === undefined ? value : source.wrap({ value, headers, parse: tryParse });
  if (!isPayload(payload)) throw new AppError('invalid_request', { message: 'The payload must be a JSON object.' });
  return payload;
}

function readValue({ mediaTypes }: WebhookSource, headers: IncomingHttpHeaders, rawBody: Buffer): unknown {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!mediaTypes.includes(type)) {
    requireJson({ headers });
    return parseJsonText(rawBody).value;
  }
  readMediaType(headers, mediaTypes);
  if (type !== FORM) return parseJsonText(rawBody).value;
  const fields = new URLSearchParams(rawBody.toString());
  const json = fields.get('payload');
  return json === null ? Object.fromEntries(fields) : parseJsonText(Buffer.from(json)).value;
}

function tryParse(text: string): unknown {
  try {
    return parseJsonText(Buffer.from(text)).value;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
