import { defineRoute, type Route } from '@steward/http';
import { findEvent } from '@steward/slice-webhooks';
import { requireFound } from '../require-found.ts';
import type { EventWebhooksDeps } from './webhooks-deps.ts';
import { presentEvent } from './present-webhooks.ts';
import { EventAnswer, EventParams } from './webhooks-schemas.ts';

/** For who may register a receiver: nobody reads here what no receiver of theirs could get. */
export function createReadEventRoute(deps: Pick<EventWebhooksDeps, 'db'>): Route {
  return defineRoute({
    method: 'get',
    path: '/api/v1/event-webhooks/events/{event_id}',
    permissions: ['manage_policies'],
    summary: 'What is sent of an event: its body and the headers that every attempt has.',
    description: 'Kept as long as a delivery of it is. Signatures, times and numbers of attempts are of each attempt.',
    params: EventParams,
    responses: { 200: { description: 'The event.', schema: EventAnswer } },
    handler: async ({ params, principal: { accountId } }) => {
      const found = requireFound(await findEvent(deps.db, accountId, params.event_id));
      return { status: 200, body: presentEvent(found) };
    },
  });
}
