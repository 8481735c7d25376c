import { AppError } from '@steward/contracts';
import { recordAudit } from '@steward/audit';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { toStorableText } from '@steward/text';
import { createListener, MAX_LISTENERS_PER_ACCOUNT } from '@steward/webhooks';
import { requireEventTypes } from '../require-event-types.ts';
import type { EventWebhooksDeps } from '../webhooks-deps.ts';
import { ListenerBody, ListenerWithSecret } from './listener-schemas.ts';
import { presentListener } from './present-listener.ts';

export function createCreateListenerRoute(deps: EventWebhooksDeps): Route {
  return defineRoute({
    operationId: 'createListener',
    method: 'post',
    path: '/api/v1/event-webhooks/listeners',
    permissions: ['manage_policies'],
    summary: 'Create a listener, which reads events as a stream. The signing secret is returned only in this response.',
    body: ListenerBody,
    bodyOptional: true,
    responses: {
      201: { description: 'The listener with its secret.', name: 'CreatedListener', schema: ListenerWithSecret },
    },
    audit: { resourceType: 'event_webhook_listener' },
    handler: async ({ body, principal: { accountId, userId }, audit }) => {
      const eventTypes = requireEventTypes(body?.event_types ?? []);
      const input = { accountId, userId, eventTypes, description: toStorableText(body?.description ?? '') };
      const created = await transact(deps, async (trx) => {
        const outcome = await createListener(trx, input, deps.secretBoxes.webhook);
        if (outcome.kind === 'limit_reached')
          throw new AppError('quota_reached', { detail: { limit: MAX_LISTENERS_PER_ACCOUNT } });
        await recordAudit(trx, audit({ resourceId: outcome.listener.id, details: { event_types: eventTypes } }));
        return outcome;
      });
      return { status: 201, body: { ...presentListener(created.listener), secret: created.secret } };
    },
  });
}
