import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { replayEvent } from '@steward/webhooks';
import { PORTAL, readScope } from './read-scope.ts';
import { refuseFullOutbox, type EventWebhooksDeps } from './webhooks-deps.ts';
import { EventParams, ReplayAnswer, ReplayBody } from './webhooks-schemas.ts';

export function createReplayEventRoute(deps: EventWebhooksDeps): Route {
  return defineRoute({
    operationId: 'replayEvent',
    method: 'post',
    path: '/api/v1/event-webhooks/deliveries/{event_id}/replay',
    permissions: ['manage_policies'],
    openTo: PORTAL,
    summary: 'Send an event again to every endpoint to which it was sent before, or to one of them.',
    params: EventParams,
    body: ReplayBody,
    bodyOptional: true,
    responses: { 202: { description: 'The replay is queued.', name: 'Replay', schema: ReplayAnswer } },
    audit: { action: 'replay', resourceType: 'event_webhook_delivery' },
    handler: async ({ params, body: asked, principal, audit, traceparent }) => {
      const maxPendingPerAccount = deps.settings.webhookMaxPendingPerAccount;
      const endpointId = asked?.endpoint_id;
      const portalTypes = principal.portal?.eventTypes;
      const key = { ...readScope(principal), eventId: params.event_id, endpointId, portalTypes };
      const body = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const outcome = await replayEvent(trx, hints, key, { maxPendingPerAccount });
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'no_receiver')
          throw new AppError('invalid_request', {
            message: 'This endpoint never received the event; it can be sent again only to endpoints that received it.',
            detail: { field: 'endpoint_id' },
          });
        if (outcome.kind === 'refused') throw refuseFullOutbox(maxPendingPerAccount);
        const { deliveryIds, skippedEndpointIds } = outcome;
        await recordAudit(
          trx,
          audit({
            resourceId: key.eventId,
            details: {
              queued: deliveryIds.length,
              skipped: skippedEndpointIds.length,
              ...(endpointId === undefined ? {} : { endpoint_id: endpointId }),
            },
          }),
        );
        return {
          event_id: key.eventId,
          delivery_ids: deliveryIds,
          queued: deliveryIds.length,
          skipped: skippedEndpointIds,
        };
      });
      return { status: 202, body };
    },
  });
}
