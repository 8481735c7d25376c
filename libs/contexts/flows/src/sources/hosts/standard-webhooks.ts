import { listNames, readHeader, readText } from '../read-fields.ts';
import { matchesStandardSignature } from '../signature.ts';
import type { SourceHeaders, WebhookSource } from '../source.ts';

/** Describes webhooks according to https://www.standardwebhooks.com, and those of Svix with its older header names. */
export const standardWebhooks: WebhookSource = {
  mediaTypes: [],
  headers: ['webhook-id', 'webhook-timestamp', 'svix-id', 'svix-timestamp'],
  verify: ({ headers, ...request }) =>
    matchesStandardSignature({
      ...request,
      id: read(headers, 'id'),
      timestamp: read(headers, 'timestamp'),
      signatures: read(headers, 'signature'),
    }),
  readEvent({ headers, payload }) {
    const id = read(headers, 'id');
    const type = readText(payload, 'type') ?? readText(payload, 'eventType');
    return { names: listNames(type), deliveryId: id, repeatKey: id };
  },
};

function read(headers: SourceHeaders, field: string): string | undefined {
  return readHeader(headers, `webhook-${field}`) ?? readHeader(headers, `svix-${field}`);
}
