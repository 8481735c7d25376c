import { recordAudit } from '@steward/audit';
import { requireFound } from '@steward/api';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { toStorableText } from '@steward/text';
import { updateListener } from '@steward/webhooks';
import { requireEventTypes } from '../require-event-types.ts';
import type { EventWebhooksDeps } from '../webhooks-deps.ts';
import { ListenerAnswer, ListenerBody, ListenerParams } from './listener-schemas.ts';
import { presentListener } from './present-listener.ts';

export function createUpdateListenerRoute(deps: EventWebhooksDeps): Route {
  return defineRoute({
    operationId: 'updateListener',
    method: 'patch',
    path: '/api/v1/event-webhooks/listeners/{listener_id}',
    permissions: ['manage_policies'],
    summary: 'Change the description or the event types of a listener. New event types apply to new events only.',
    params: ListenerParams,
    body: ListenerBody,
    responses: { 200: { description: 'The listener.', name: 'Listener', schema: ListenerAnswer } },
    audit: { resourceType: 'event_webhook_listener' },
    handler: async ({ params, body, principal: { accountId }, audit }) => {
      const patch = {
        description: body.description === undefined ? undefined : toStorableText(body.description),
        eventTypes: body.event_types === undefined ? undefined : requireEventTypes(body.event_types),
      };
      const listenerId = params.listener_id;
      const updated = await transact(deps, async (trx) => {
        const listener = requireFound(await updateListener(trx, { accountId, listenerId }, patch));
        await recordAudit(trx, audit({ resourceId: listenerId, details: { changed: Object.keys(body) } }));
        return listener;
      });
      return { status: 200, body: presentListener(updated) };
    },
  });
}
