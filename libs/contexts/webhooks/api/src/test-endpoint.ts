import { AppError, type Principal } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { sendTestEvent, type SentType } from '@steward/webhooks';
import { PORTAL, readScope, requireUsableTypes } from './read-scope.ts';
import { refuseFullOutbox, type EventWebhooksDeps } from './webhooks-deps.ts';
import { EndpointParams, TestSendAnswer, TestSendBody } from './webhooks-schemas.ts';

export function createTestEndpointRoute(deps: EventWebhooksDeps): Route {
  return defineRoute({
    operationId: 'testEndpoint',
    method: 'post',
    path: '/api/v1/event-webhooks/endpoints/{endpoint_id}/test',
    permissions: ['manage_policies'],
    openTo: PORTAL,
    summary:
      'Send a test event, or the example event of an event type, to one endpoint, regardless of its subscriptions.',
    description:
      'An example event contains the example data of the catalog, including the ids in that data; the event itself has a new id and the current time. The event is delivered like any other event of its type.',
    params: EndpointParams,
    body: TestSendBody,
    bodyOptional: true,
    responses: { 202: { description: 'The test is queued.', name: 'TestSend', schema: TestSendAnswer } },
    audit: { action: 'test_send', resourceType: 'event_webhook_endpoint' },
    handler: async ({ params, body, principal, audit, traceparent }) => {
      const maxPendingPerAccount = deps.settings.webhookMaxPendingPerAccount;
      const test = {
        ...readScope(principal),
        endpointId: params.endpoint_id,
        requestedByUserId: principal.portal === undefined ? principal.userId : null,
        now: deps.clock.now(),
        eventType: readEventType(principal, body?.event_type),
      };
      const outcome = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const sent = await sendTestEvent(trx, hints, test, { maxPendingPerAccount });
        // An error response is sent after the commit, so that the endpoint's mark for a refused event is not rolled
        // back.
        if (sent.kind !== 'emitted') return sent;
        await recordAudit(
          trx,
          audit({
            resourceId: params.endpoint_id,
            details: { event_id: sent.eventId, event_type: test.eventType },
          }),
        );
        return sent;
      });
      if (outcome.kind === 'refused') throw refuseFullOutbox(maxPendingPerAccount);
      if (outcome.kind !== 'emitted') throw new AppError('not_found');
      return { status: 202, body: { event_id: outcome.eventId, delivery_ids: outcome.deliveryIds } };
    },
  });
}

function readEventType(principal: Principal, name: string | undefined): SentType {
  if (name === undefined || name === 'webhook.test') return 'webhook.test';
  requireUsableTypes(principal, [name], 'event_type');
  return name as SentType;
}
