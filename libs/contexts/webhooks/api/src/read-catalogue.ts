import {
  DELIVERY_CONTRACT,
  EVENT_ENVELOPE_VERSION,
  EVENT_HEADERS,
  EVENT_TYPES,
  SUBSCRIBABLE_EVENT_TYPES,
} from '@steward/contracts';
import { defineRoute, type Route } from '@steward/http';
import { PORTAL } from './read-scope.ts';
import type { EventWebhooksDeps } from './webhooks-deps.ts';
import { CatalogueAnswer } from './webhooks-schemas.ts';

/**
 * Returns the contract in the form that receivers read; it does not change while the process runs, so it is built only
 * once.
 */
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
    headers: EVENT_HEADERS,
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
    operationId: 'readEventCatalogue',
    method: 'get',
    path: '/api/v1/event-webhooks/catalogue',
    permissions: ['view_policies'],
    openTo: PORTAL,
    summary: 'List event types with their schemas, and read the headers, signature and retry schedule of deliveries.',
    responses: { 200: { description: 'The catalog.', name: 'EventCatalogue', schema: CatalogueAnswer } },
    handler: ({ principal: { portal } }) => ({
      status: 200,
      body:
        portal === undefined
          ? catalogue
          : { ...catalogue, event_types: catalogue.event_types.filter(({ name }) => portal.eventTypes.includes(name)) },
    }),
  });
}
