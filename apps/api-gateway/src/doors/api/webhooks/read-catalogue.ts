import { DELIVERY_CONTRACT, EVENT_ENVELOPE_VERSION, EVENT_TYPES, SUBSCRIBABLE_EVENT_TYPES } from '@steward/contracts';
import { defineRoute, type Route } from '@steward/http';
import type { EventWebhooksDeps } from './webhooks-deps.ts';
import { CatalogueAnswer } from './webhooks-schemas.ts';

/** The contract as receivers read it; it does not change while the process runs, so it is built once. */
function buildCatalogue({ settings }: Pick<EventWebhooksDeps, 'settings'>) {
  const contract = DELIVERY_CONTRACT;
  return {
    version: EVENT_ENVELOPE_VERSION,
    event_types: SUBSCRIBABLE_EVENT_TYPES.map((name) => ({
      name,
      description: EVENT_TYPES[name].description,
      data_schema: EVENT_TYPES[name].schema,
      example: EVENT_TYPES[name].example,
    })),
    signature_header: contract.signatureHeader,
    headers: {
      [contract.signatureHeader]:
        't=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>", keyed by the secret string>',
      [contract.eventIdHeader]: 'Event id; stable across retries and replays.',
      [contract.eventTypeHeader]: 'Event type.',
      [contract.deliveryIdHeader]: 'This delivery; differs per endpoint and per replay.',
      [contract.attemptHeader]: 'Attempt number, from 1.',
      'User-Agent': contract.userAgent,
      [contract.standardIdHeader]: 'Event id (Standard Webhooks).',
      [contract.standardTimestampHeader]: 'The same time as t (Standard Webhooks).',
      [contract.standardSignatureHeader]:
        'v1,<base64 HMAC-SHA256 of "<id>.<timestamp>.<raw body>", keyed by the decoded bytes after whsec_; ' +
        'a secret of another form, chosen for an approval workflow, is used as its own bytes>',
      [contract.traceHeader]: 'W3C Trace Context of this delivery, for your tracing; not signed.',
    },
    tolerance_seconds: contract.toleranceSeconds,
    max_attempts: contract.maxAttempts,
    retry_delays_seconds: [...contract.retryDelaysSeconds],
    timeout_seconds: settings.webhookDeliveryTimeoutSeconds,
    success: contract.success,
  };
}

export function createReadCatalogueRoute(deps: Pick<EventWebhooksDeps, 'settings'>): Route {
  const catalogue = buildCatalogue(deps);
  return defineRoute({
    method: 'get',
    path: '/api/v1/event-webhooks/catalogue',
    auth: 'bearer',
    permissions: ['view_policies'],
    tag: 'event-webhooks',
    summary: 'Event types with their schemas, headers, signature and retry schedule in force.',
    responses: { 200: { description: 'The catalogue.', schema: CatalogueAnswer } },
    handler: () => ({ status: 200, body: catalogue }),
  });
}
