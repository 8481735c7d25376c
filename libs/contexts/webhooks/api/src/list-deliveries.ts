import { Type, type Static } from '@sinclair/typebox';
import type { Principal } from '@steward/contracts';
import { defineRoute, encodeCursor, pageOf, PageQuery, readTimePage, toPage, type Route } from '@steward/http';
import { listDeliveries, type DeliveryStatus } from '@steward/webhooks';
import { readTimeBounds } from '@steward/api';
import { PORTAL, readScope } from './read-scope.ts';
import type { EventWebhooksDeps } from './webhooks-deps.ts';
import { DeliveryAnswer, DeliveryFilters, DeliveryStatusFilter } from './webhooks-schemas.ts';
import { presentDelivery } from './present-webhooks.ts';

const ListQuery = Type.Object(
  { ...PageQuery, ...DeliveryFilters, ...DeliveryStatusFilter },
  { additionalProperties: false },
);
const DeadLetterQuery = Type.Object({ ...PageQuery, ...DeliveryFilters }, { additionalProperties: false });

export function createListDeliveriesRoute(deps: Pick<EventWebhooksDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'listDeliveries',
    method: 'get',
    path: '/api/v1/event-webhooks/deliveries',
    permissions: ['view_policies'],
    openTo: PORTAL,
    summary: 'List deliveries, newest first.',
    query: ListQuery,
    responses: { 200: { description: 'A page of deliveries.', name: 'Delivery', schema: pageOf(DeliveryAnswer) } },
    handler: async ({ query, principal }) => ({
      status: 200,
      body: await readPage(deps, principal, query, query.status),
    }),
  });
}

export function createListDeadLettersRoute(deps: Pick<EventWebhooksDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'listDeadLetters',
    method: 'get',
    path: '/api/v1/event-webhooks/deliveries/dead-letter',
    permissions: ['view_policies'],
    summary: 'List dead deliveries, for which no further attempt is scheduled, newest first.',
    query: DeadLetterQuery,
    responses: { 200: { description: 'A page of dead deliveries.', name: 'Delivery', schema: pageOf(DeliveryAnswer) } },
    handler: async ({ query, principal }) => ({
      status: 200,
      body: await readPage(deps, principal, query, 'dead'),
    }),
  });
}

async function readPage(
  deps: Pick<EventWebhooksDeps, 'db'>,
  principal: Principal,
  query: Static<typeof DeadLetterQuery>,
  status: DeliveryStatus | undefined,
) {
  const { limit, after } = readTimePage(query);
  const filter = {
    ...readScope(principal),
    endpointId: query.endpoint_id,
    eventId: query.event_id,
    eventType: query.event_type,
    status,
    ...readTimeBounds(query),
  };
  const deliveries = await listDeliveries(deps.db, filter, { beforeId: after?.id, limit });
  return toPage(deliveries, limit, {
    item: presentDelivery,
    cursor: (delivery) => encodeCursor(delivery.createdAt, delivery.id),
  });
}
