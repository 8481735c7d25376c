import { AppError } from '@steward/contracts';
import { recordAudit } from '@steward/audit';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { deleteListener } from '@steward/webhooks';
import type { EventWebhooksDeps } from '../webhooks-deps.ts';
import { ListenerParams } from './listener-schemas.ts';

export function createDeleteListenerRoute(deps: EventWebhooksDeps): Route {
  return defineRoute({
    operationId: 'deleteListener',
    method: 'delete',
    path: '/api/v1/event-webhooks/listeners/{listener_id}',
    permissions: ['manage_policies'],
    summary: 'Delete a listener together with its unread events. An open stream ends.',
    params: ListenerParams,
    responses: { 204: { description: 'Deleted.' } },
    audit: { resourceType: 'event_webhook_listener' },
    handler: async ({ params: { listener_id: listenerId }, principal: { accountId }, audit }) => {
      await transact(deps, async (trx) => {
        if (!(await deleteListener(trx, { accountId, listenerId }))) throw new AppError('not_found');
        await recordAudit(trx, audit({ resourceId: listenerId, details: {} }));
      });
      return { status: 204 };
    },
  });
}
