import { AppError } from '@steward/contracts';
import { recordAudit } from '@steward/audit';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { createPortalToken } from '@steward/identity';
import { createPortalLink, MAX_PORTAL_LINKS_PER_ACCOUNT } from '@steward/webhooks';
import { requireEventTypes } from '../require-event-types.ts';
import type { EventWebhooksDeps } from '../webhooks-deps.ts';
import { CreatedPortalLinkAnswer, CreatePortalLinkBody, readGroup, requireFrameOrigins } from './portal-schemas.ts';
import { presentPortalLink } from './present-portal-link.ts';

export interface PortalDeps extends EventWebhooksDeps {
  readonly settings: EventWebhooksDeps['settings'] & { readonly publicUrl: string };
}

export function createCreatePortalLinkRoute(deps: PortalDeps): Route {
  return defineRoute({
    operationId: 'createPortalLink',
    method: 'post',
    path: '/api/v1/event-webhooks/portal-links',
    permissions: ['manage_policies'],
    summary: 'Create a link with which a customer can manage the endpoints of one group for one hour.',
    description:
      'The link opens a page that can be embedded in the pages of the given origins. Endpoints of the group receive events of the whole account. Choose only event types that the holder of the link may see.',
    body: CreatePortalLinkBody,
    bodyExample: {
      group: 'customer-4711',
      event_types: ['session.ended'],
      frame_origins: ['https://app.example.com'],
    },
    responses: {
      201: {
        description: 'The link with its address and its token.',
        name: 'CreatedPortalLink',
        schema: CreatedPortalLinkAnswer,
      },
    },
    audit: { resourceType: 'event_webhook_portal_link' },
    handler: async ({ body, principal: { accountId, userId, apiKeyId }, audit }) => {
      const { token, tokenHash } = createPortalToken();
      const input = {
        accountId,
        tokenHash,
        group: readGroup(body.group),
        eventTypes: requireEventTypes(body.event_types),
        frameOrigins: requireFrameOrigins(body.frame_origins ?? []),
        madeByUserId: userId,
        madeByKeyId: apiKeyId,
      };
      const link = await transact(deps, async (trx) => {
        const outcome = await createPortalLink(trx, input, deps.clock.now());
        if (outcome.kind === 'limit_reached')
          throw new AppError('quota_reached', { detail: { limit: MAX_PORTAL_LINKS_PER_ACCOUNT } });
        const { id, group, eventTypes, frameOrigins } = outcome.link;
        const details = { group, event_types: eventTypes, frame_origins: frameOrigins };
        await recordAudit(trx, audit({ resourceId: id, details }));
        return outcome.link;
      });
      const url = `${deps.settings.publicUrl}/portal/${link.id}#${token}`;
      return { status: 201, body: { ...presentPortalLink(link), url, token } };
    },
  });
}
