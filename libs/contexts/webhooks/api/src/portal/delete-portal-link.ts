import { AppError } from '@steward/contracts';
import { recordAudit } from '@steward/audit';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { deletePortalLink } from '@steward/webhooks';
import type { EventWebhooksDeps } from '../webhooks-deps.ts';
import { PortalLinkParams } from './portal-schemas.ts';

export function createDeletePortalLinkRoute(deps: EventWebhooksDeps): Route {
  return defineRoute({
    operationId: 'deletePortalLink',
    method: 'delete',
    path: '/api/v1/event-webhooks/portal-links/{portal_link_id}',
    permissions: ['manage_policies'],
    summary: 'Revoke a portal link, effective from the next request on. The endpoints remain.',
    params: PortalLinkParams,
    responses: { 204: { description: 'Revoked.' } },
    audit: { resourceType: 'event_webhook_portal_link' },
    handler: async ({ params: { portal_link_id: id }, principal: { accountId }, audit }) => {
      await transact(deps, async (trx) => {
        if (!(await deletePortalLink(trx, accountId, id))) throw new AppError('not_found');
        await recordAudit(trx, audit({ resourceId: id, details: {} }));
      });
      return { status: 204 };
    },
  });
}
