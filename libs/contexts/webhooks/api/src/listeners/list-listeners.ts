import { defineRoute, encodeCursor, pageOf, PlainPageQuery, readTimePage, toPage, type Route } from '@steward/http';
import { listListeners } from '@steward/webhooks';
import type { EventWebhooksDeps } from '../webhooks-deps.ts';
import { ListenerAnswer } from './listener-schemas.ts';
import { presentListener } from './present-listener.ts';

export function createListListenersRoute(deps: Pick<EventWebhooksDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'listListeners',
    method: 'get',
    path: '/api/v1/event-webhooks/listeners',
    permissions: ['view_policies'],
    summary: 'List listeners, newest first.',
    query: PlainPageQuery,
    responses: { 200: { description: 'A page of listeners.', name: 'Listener', schema: pageOf(ListenerAnswer) } },
    handler: async ({ query, principal: { accountId } }) => {
      const { limit, after } = readTimePage(query);
      const listeners = await listListeners(deps.db, { accountId, beforeId: after?.id, limit });
      const cursor = ({ createdAt, id }: (typeof listeners)[number]) => encodeCursor(createdAt, id);
      return { status: 200, body: toPage(listeners, limit, { item: presentListener, cursor }) };
    },
  });
}
