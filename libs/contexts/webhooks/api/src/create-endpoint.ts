import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { createEndpoint, MAX_ENDPOINTS_PER_GROUP } from '@steward/webhooks';
import { toStorableText } from '@steward/text';
import { requireTarget } from '@steward/api';
import { readGroup } from './portal/portal-schemas.ts';
import { PORTAL, requirePortalFields, requireUsableTypes } from './read-scope.ts';
import type { EventWebhooksDeps } from './webhooks-deps.ts';
import { CreateEndpointBody, EndpointWithSecret } from './webhooks-schemas.ts';
import { presentEndpoint } from './present-webhooks.ts';

export function createCreateEndpointRoute(deps: EventWebhooksDeps): Route {
  return defineRoute({
    operationId: 'createEndpoint',
    method: 'post',
    path: '/api/v1/event-webhooks/endpoints',
    permissions: ['manage_policies'],
    openTo: PORTAL,
    summary: 'Register a webhook endpoint. The signing secret is returned only in this response.',
    body: CreateEndpointBody,
    bodyExample: {
      url: 'https://receiver.example.com/steward',
      event_types: ['session.ended', 'flow.execution_finished'],
    },
    responses: {
      201: { description: 'The endpoint with its secret.', name: 'CreatedEndpoint', schema: EndpointWithSecret },
    },
    audit: { resourceType: 'event_webhook_endpoint' },
    handler: async ({ body, principal, audit }) => {
      const { accountId, portal } = principal;
      requirePortalFields(principal, body);
      const eventTypes = requireUsableTypes(principal, body.event_types ?? []);
      await requireTarget(body.url, deps);
      const description = toStorableText(body.description ?? '');
      const created = await transact(deps, async (trx) => {
        const outcome = await createEndpoint(
          trx,
          {
            ...{ accountId, url: body.url, description, eventTypes, keepsAnswers: body.keep_answers },
            group: portal?.group ?? readGroup(body.group) ?? undefined,
            maxOfGroup: portal === undefined ? undefined : MAX_ENDPOINTS_PER_GROUP,
          },
          deps.secretBoxes.webhook,
        );
        if (outcome.kind === 'limit_reached') {
          throw new AppError('endpoint_limit_reached', { detail: { limit: outcome.limit } });
        }
        await recordAudit(
          trx,
          audit({
            resourceId: outcome.endpoint.id,
            details: { event_types: eventTypes },
          }),
        );
        return outcome;
      });
      return {
        status: 201,
        body: {
          ...presentEndpoint(created.endpoint, { reader: principal, box: deps.secretBoxes.webhook }),
          secret: created.secret,
        },
      };
    },
  });
}
