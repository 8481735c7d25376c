import { listNames, readHeader, readText } from '../read-fields.ts';
import { matchesHubSignature } from '../signature.ts';
import type { WebhookSource } from '../source.ts';

/**
 * Describes the webhooks of Jira, whose body contains the event name. `X-Atlassian-Webhook-Identifier` stays the same
 * for retries.
 */
export const jira: WebhookSource = {
  mediaTypes: [],
  headers: ['x-atlassian-webhook-identifier', 'x-atlassian-webhook-retry', 'x-atlassian-webhook-flow'],
  verify: ({ headers, rawBody, secret }) =>
    matchesHubSignature(secret, rawBody, readHeader(headers, 'x-hub-signature')),
  readEvent({ headers, payload, bodyDigest }) {
    const action = readText(payload, 'issue_event_type_name');
    const deliveryId = readHeader(headers, 'x-atlassian-webhook-identifier');
    return {
      names: listNames(readText(payload, 'webhookEvent'), action),
      action,
      deliveryId,
      repeatKey: deliveryId && `${deliveryId}:${bodyDigest}`,
    };
  },
};
