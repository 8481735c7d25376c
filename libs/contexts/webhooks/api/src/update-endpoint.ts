import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { AppError } from '@steward/contracts';
import { updateEndpoint } from '@steward/webhooks';
import { toStorableText } from '@steward/text';
import { requireTarget } from '@steward/api';
import { readGroup } from './portal/portal-schemas.ts';
import { PORTAL, readScope, requirePortalFields, requireUsableTypes } from './read-scope.ts';
import { refuseChange, type EventWebhooksDeps } from './webhooks-deps.ts';
import { EndpointAnswer, EndpointParams, UpdateEndpointBody } from './webhooks-schemas.ts';
import { presentEndpoint } from './present-webhooks.ts';

export function createUpdateEndpointRoute(deps: EventWebhooksDeps): Route {
  return defineRoute({
    operationId: 'updateEndpoint',
    method: 'patch',
    path: '/api/v1/event-webhooks/endpoints/{endpoint_id}',
    permissions: ['manage_policies'],
    openTo: PORTAL,
    summary: 'Update an endpoint. A new URL or `active: true` closes the circuit breaker immediately.',
    params: EndpointParams,
    body: UpdateEndpointBody,
    bodyExample: { active: false },
    responses: { 200: { description: 'The endpoint.', name: 'Endpoint', schema: EndpointAnswer } },
    audit: { resourceType: 'event_webhook_endpoint' },
    handler: async ({ params, body, principal, audit, traceparent }) => {
      requirePortalFields(principal, body);
      const patch = {
        url: body.url,
        description: body.description === undefined ? undefined : toStorableText(body.description),
        group: readGroup(body.group),
        eventTypes: body.event_types === undefined ? undefined : requireUsableTypes(principal, body.event_types),
        active: body.active,
        keepsAnswers: body.keep_answers,
      };
      if (body.url !== undefined) await requireTarget(body.url, deps);
      const key = { ...readScope(principal), endpointId: params.endpoint_id };
      const update = { ...key, patch, portalTypes: principal.portal?.eventTypes };
      const endpoint = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const outcome = await updateEndpoint(trx, hints, update, deps.secretBoxes.webhook);
        if (outcome.kind === 'foreign_types')
          throw new AppError('unknown_event_type', {
            message:
              'The endpoint has event types that this portal does not offer. Send "event_types" together with the new URL.',
            detail: { field: 'event_types' },
          });
        if (outcome.kind !== 'updated') throw refuseChange(outcome);
        await recordAudit(
          trx,
          audit({
            resourceId: key.endpointId,
            details: { changed: Object.keys(body).sort() },
          }),
        );
        return outcome.endpoint;
      });
      return { status: 200, body: presentEndpoint(endpoint, { reader: principal, box: deps.secretBoxes.webhook }) };
    },
  });
}
