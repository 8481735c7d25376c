import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { toStorableText } from '@steward/runtime';
import { updateEndpoint } from '@steward/slice-webhooks';
import { requireEventTypes, requireTarget } from './check-target.ts';
import { auditWebhookChange, refuseChange, type EventWebhooksDeps } from './event-webhooks-deps.ts';
import { EndpointAnswer, EndpointParams, UpdateEndpointBody } from './event-webhooks-schemas.ts';
import { presentEndpoint } from './present.ts';

export function createUpdateEndpointRoute(deps: EventWebhooksDeps): Route {
  return defineRoute({
    method: 'patch',
    path: '/api/v1/event-webhooks/endpoints/{endpoint_id}',
    auth: 'bearer',
    permissions: ['manage_policies'],
    tag: 'event-webhooks',
    summary: 'Change a receiver; a new URL or `active: true` closes the breaker at once.',
    params: EndpointParams,
    body: UpdateEndpointBody,
    responses: { 200: { description: 'The endpoint.', schema: EndpointAnswer } },
    handler: async ({ params, body, principal, requestId }) => {
      const patch = {
        url: body.url,
        description: body.description === undefined ? undefined : toStorableText(body.description),
        eventTypes: body.event_types === undefined ? undefined : requireEventTypes(body.event_types),
        active: body.active,
      };
      if (body.url !== undefined) await requireTarget(body.url, deps);
      const key = { accountId: principal.accountId, endpointId: params.endpoint_id };
      const endpoint = await transact(deps, async (trx, hints) => {
        const outcome = await updateEndpoint(trx, hints, { ...key, patch });
        if (outcome.kind !== 'updated') throw refuseChange(outcome);
        await auditWebhookChange(
          trx,
          { principal, requestId },
          {
            action: 'update',
            resourceType: 'event_webhook_endpoint',
            resourceId: key.endpointId,
            details: { changed: Object.keys(body).sort() },
          },
        );
        return outcome.endpoint;
      });
      return { status: 200, body: presentEndpoint(endpoint) };
    },
  });
}
