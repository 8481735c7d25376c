import { defineRoute, type Route } from '@steward/http';
import { findEvent } from '@steward/webhooks';
import { requireFound } from '@steward/api';
import type { EventWebhooksDeps } from './webhooks-deps.ts';
import { presentEvent } from './present-webhooks.ts';
import { EventAnswer, EventParams } from './webhooks-schemas.ts';

/**
 * Handles GET /api/v1/event-webhooks/events/{event_id}: returns an event of the account. The required permission is
 * that for registering a receiver, because receivers get complete events.
 */
export function createReadEventRoute(deps: Pick<EventWebhooksDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'readSentEvent',
    method: 'get',
    path: '/api/v1/event-webhooks/events/{event_id}',
    permissions: ['manage_policies'],
    summary: 'Read an event as it is sent: its body and the headers common to all attempts.',
    description:
      'An event is stored at least until all of its deliveries have been deleted. Signature, timestamp and attempt number differ per attempt.',
    params: EventParams,
    responses: { 200: { description: 'The event.', name: 'SentEvent', schema: EventAnswer } },
    handler: async ({ params, principal: { accountId } }) => {
      const found = requireFound(await findEvent(deps.db, accountId, params.event_id));
      return { status: 200, body: presentEvent(found) };
    },
  });
}
