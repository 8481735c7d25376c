import { defineRoute, encodeCursor, pageOf, PlainPageQuery, readTimePage, toPage, type Route } from '@steward/http';
import { listEndpoints } from '@steward/webhooks';
import { PORTAL, readScope } from './read-scope.ts';
import type { EventWebhooksDeps } from './webhooks-deps.ts';
import { EndpointAnswer } from './webhooks-schemas.ts';
import { presentEndpoint } from './present-webhooks.ts';

export function createListEndpointsRoute(deps: Pick<EventWebhooksDeps, 'db' | 'secretBoxes'>): Route {
  return defineRoute({
    operationId: 'listEndpoints',
    method: 'get',
    path: '/api/v1/event-webhooks/endpoints',
    permissions: ['view_policies'],
    openTo: PORTAL,
    summary: 'List webhook endpoints, newest first.',
    query: PlainPageQuery,
    responses: { 200: { description: 'A page of endpoints.', name: 'Endpoint', schema: pageOf(EndpointAnswer) } },
    handler: async ({ query, principal }) => {
      const { limit, after } = readTimePage(query);
      const endpoints = await listEndpoints(deps.db, { ...readScope(principal), beforeId: after?.id, limit });
      const page = toPage(endpoints, limit, {
        item: (endpoint) => presentEndpoint(endpoint, { reader: principal, box: deps.secretBoxes.webhook }),
        cursor: (endpoint) => encodeCursor(endpoint.createdAt, endpoint.id),
      });
      return { status: 200, body: page };
    },
  });
}
