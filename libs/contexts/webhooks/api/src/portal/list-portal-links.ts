import { defineRoute, encodeCursor, pageOf, PlainPageQuery, readTimePage, toPage, type Route } from '@steward/http';
import { listPortalLinks } from '@steward/webhooks';
import type { EventWebhooksDeps } from '../webhooks-deps.ts';
import { PortalLinkAnswer } from './portal-schemas.ts';
import { presentPortalLink } from './present-portal-link.ts';

export function createListPortalLinksRoute(deps: Pick<EventWebhooksDeps, 'db' | 'clock'>): Route {
  return defineRoute({
    operationId: 'listPortalLinks',
    method: 'get',
    path: '/api/v1/event-webhooks/portal-links',
    permissions: ['view_policies'],
    summary: 'List portal links that have not expired, newest first.',
    query: PlainPageQuery,
    responses: {
      200: { description: 'A page of portal links.', name: 'PortalLink', schema: pageOf(PortalLinkAnswer) },
    },
    handler: async ({ query, principal: { accountId } }) => {
      const { limit, after } = readTimePage(query);
      const links = await listPortalLinks(deps.db, {
        ...{ accountId, beforeId: after?.id, limit },
        now: deps.clock.now(),
      });
      const cursor = ({ createdAt, id }: (typeof links)[number]) => encodeCursor(createdAt, id);
      return { status: 200, body: toPage(links, limit, { item: presentPortalLink, cursor }) };
    },
  });
}
