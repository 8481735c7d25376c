import { listNames, readHeader, readText, withAction } from '../read-fields.ts';
import { isSameText, signParts } from '../signature.ts';
import type { WebhookSource } from '../source.ts';

/**
 * Describes the webhooks of Linear. `Linear-Delivery` stays the same for retries, which are sent up to six hours later.
 * `webhookTimestamp` is not compared with the clock of this service: it is not documented whether a retry has a new
 * timestamp, and if a retry were refused, its event would be lost.
 */
export const linear: WebhookSource = {
  mediaTypes: [],
  headers: ['linear-event', 'linear-delivery'],
  verify: ({ headers, rawBody, secret }) =>
    isSameText(signParts({ key: secret, parts: [rawBody] }), readHeader(headers, 'linear-signature')?.toLowerCase()),
  readEvent({ headers, payload }) {
    const event = readHeader(headers, 'linear-event') ?? readText(payload, 'type');
    const action = readText(payload, 'action');
    const deliveryId = readHeader(headers, 'linear-delivery');
    return { names: listNames(event, withAction(event, action)), action, deliveryId, repeatKey: deliveryId };
  },
};
