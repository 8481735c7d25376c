import { defineRoute, type Route } from '@steward/http';
import { findEndpoint } from '@steward/webhooks';
import { requireFound } from '@steward/api';
import { PORTAL, readScope } from './read-scope.ts';
import type { EventWebhooksDeps } from './webhooks-deps.ts';
import { EndpointAnswer, EndpointParams } from './webhooks-schemas.ts';
import { presentEndpoint } from './present-webhooks.ts';

export function createReadEndpointRoute(deps: Pick<EventWebhooksDeps, 'db' | 'secretBoxes'>): Route {
  return defineRoute({
    operationId: 'readEndpoint',
    method: 'get',
    path: '/api/v1/event-webhooks/endpoints/{endpoint_id}',
    permissions: ['view_policies'],
    openTo: PORTAL,
    summary: 'Read an endpoint with the state of its circuit breaker and the outcome of its last delivery.',
    params: EndpointParams,
    responses: { 200: { description: 'The endpoint.', name: 'Endpoint', schema: EndpointAnswer } },
    handler: async ({ params, principal }) => {
      const endpoint = requireFound(await findEndpoint(deps.db, readScope(principal), params.endpoint_id));
      return { status: 200, body: presentEndpoint(endpoint, { reader: principal, box: deps.secretBoxes.webhook }) };
    },
  });
}
