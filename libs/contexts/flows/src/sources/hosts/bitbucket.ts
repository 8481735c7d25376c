import { listNames, readHeader } from '../read-fields.ts';
import { matchesHubSignature } from '../signature.ts';
import type { WebhookSource } from '../source.ts';

/**
 * Describes the webhooks of Bitbucket. Cloud sends the same `X-Request-UUID` in all attempts; Data Center sends
 * `X-Request-Id`, and `diagnostics:ping` as a test.
 */
export const bitbucket: WebhookSource = {
  mediaTypes: [],
  headers: ['x-event-key', 'x-hook-uuid', 'x-request-uuid', 'x-request-id', 'x-attempt-number'],
  verify: ({ headers, rawBody, secret }) =>
    matchesHubSignature(secret, rawBody, readHeader(headers, 'x-hub-signature')),
  readEvent({ headers, bodyDigest }) {
    const event = readHeader(headers, 'x-event-key');
    const deliveryId = readHeader(headers, 'x-request-uuid') ?? readHeader(headers, 'x-request-id');
    return {
      names: listNames(event),
      action: event?.split(':')[1],
      deliveryId,
      repeatKey: deliveryId && `${deliveryId}:${bodyDigest}`,
      handshake: event === 'diagnostics:ping' ? 'Bitbucket’s connection test' : undefined,
    };
  },
};
