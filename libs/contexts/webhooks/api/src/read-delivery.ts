import { defineRoute, type Route } from '@steward/http';
import { readDelivery } from '@steward/webhooks';
import { requireFound } from '@steward/api';
import { PORTAL, readScope } from './read-scope.ts';
import type { EventWebhooksDeps } from './webhooks-deps.ts';
import { DeliveryParams, DeliveryWithAttempts } from './webhooks-schemas.ts';
import { presentInspection } from './present-webhooks.ts';

export function createReadDeliveryRoute(deps: Pick<EventWebhooksDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'readDelivery',
    method: 'get',
    path: '/api/v1/event-webhooks/deliveries/{delivery_id}',
    permissions: ['view_policies'],
    openTo: PORTAL,
    summary: 'Read a delivery with its attempts and the reason for its state.',
    params: DeliveryParams,
    responses: { 200: { description: 'The delivery.', name: 'DeliveryDetails', schema: DeliveryWithAttempts } },
    handler: async ({ params, principal }) => {
      const found = requireFound(await readDelivery(deps.db, readScope(principal), params.delivery_id));
      return { status: 200, body: presentInspection(found) };
    },
  });
}
