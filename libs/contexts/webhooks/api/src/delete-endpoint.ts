import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { deleteEndpoint } from '@steward/webhooks';
import { PORTAL, readScope } from './read-scope.ts';
import { refuseChange, type EventWebhooksDeps } from './webhooks-deps.ts';
import { EndpointParams } from './webhooks-schemas.ts';

export function createDeleteEndpointRoute(deps: EventWebhooksDeps): Route {
  return defineRoute({
    operationId: 'deleteEndpoint',
    method: 'delete',
    path: '/api/v1/event-webhooks/endpoints/{endpoint_id}',
    permissions: ['manage_policies'],
    openTo: PORTAL,
    summary:
      'Delete an endpoint. Its pending deliveries are cancelled. The history of its deliveries is stored until the retention period ends.',
    params: EndpointParams,
    responses: { 204: { description: 'Deleted.' } },
    audit: { resourceType: 'event_webhook_endpoint' },
    handler: async ({ params, principal, audit }) => {
      await transact(deps, async (trx) => {
        const outcome = await deleteEndpoint(trx, { ...readScope(principal), endpointId: params.endpoint_id });
        if (outcome.kind !== 'deleted') throw refuseChange(outcome);
        await recordAudit(
          trx,
          audit({
            resourceId: params.endpoint_id,
            details: { cancelled_deliveries: outcome.cancelled },
          }),
        );
      });
      return { status: 204 };
    },
  });
}
