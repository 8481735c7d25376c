import { listNames, readHeader, readText, withAction } from '../read-fields.ts';
import { matchesHubSignature } from '../signature.ts';
import type { WebhookSource } from '../source.ts';

export const FORM = 'application/x-www-form-urlencoded';

/**
 * Describes the webhooks of GitHub, whose default content type for a new hook is a form. A redelivery has the id of the
 * original delivery.
 */
export const github: WebhookSource = {
  mediaTypes: [FORM],
  headers: [
    'x-github-event',
    'x-github-delivery',
    'x-github-hook-id',
    'x-github-hook-installation-target-type',
    'x-github-hook-installation-target-id',
    'x-github-enterprise-host',
  ],
  verify: ({ headers, rawBody, secret }) =>
    matchesHubSignature(secret, rawBody, readHeader(headers, 'x-hub-signature-256')),
  readEvent({ headers, payload, bodyDigest }) {
    const event = readHeader(headers, 'x-github-event');
    const action = readText(payload, 'action');
    const deliveryId = readHeader(headers, 'x-github-delivery');
    return {
      names: listNames(event, withAction(event, action)),
      action,
      deliveryId,
      // Requests to two apps of one organization may have the same id.
      repeatKey: deliveryId && `${deliveryId}:${bodyDigest}`,
      handshake: event === 'ping' ? 'GitHub’s ping' : undefined,
    };
  },
};
