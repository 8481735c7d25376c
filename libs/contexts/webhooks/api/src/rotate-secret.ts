import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { rotateEndpointSecret } from '@steward/webhooks';
import { PORTAL, readScope } from './read-scope.ts';
import { refuseChange, type EventWebhooksDeps } from './webhooks-deps.ts';
import { EndpointParams, EndpointWithSecret, RotateSecretBody } from './webhooks-schemas.ts';
import { presentEndpoint } from './present-webhooks.ts';

export function createRotateSecretRoute(deps: EventWebhooksDeps): Route {
  return defineRoute({
    operationId: 'rotateEndpointSecret',
    method: 'post',
    path: '/api/v1/event-webhooks/endpoints/{endpoint_id}/secret/rotate',
    permissions: ['manage_policies'],
    openTo: PORTAL,
    summary:
      'Replace the signing secret. Until `overlap_seconds` have passed, deliveries are also signed with the old secret.',
    params: EndpointParams,
    body: RotateSecretBody,
    bodyExample: { overlap_seconds: 3600 },
    bodyOptional: true,
    responses: {
      200: { description: 'The endpoint with its new secret.', name: 'CreatedEndpoint', schema: EndpointWithSecret },
    },
    audit: { action: 'rotate_secret', resourceType: 'event_webhook_endpoint' },
    handler: async ({ params, body, principal, audit }) => {
      const overlapSeconds = body.overlap_seconds ?? 0;
      const key = { ...readScope(principal), endpointId: params.endpoint_id };
      const rotated = await transact(deps, async (trx) => {
        const outcome = await rotateEndpointSecret(trx, { ...key, overlapSeconds }, deps.secretBoxes.webhook);
        if (outcome.kind !== 'rotated') throw refuseChange(outcome);
        await recordAudit(
          trx,
          audit({
            resourceId: key.endpointId,
            details: { overlap_seconds: overlapSeconds },
          }),
        );
        return outcome;
      });
      return {
        status: 200,
        body: {
          ...presentEndpoint(rotated.endpoint, { reader: principal, box: deps.secretBoxes.webhook }),
          secret: rotated.secret,
        },
      };
    },
  });
}
