import { requireFound } from '@steward/api';
import { defineRoute, encodeCursor, pageOf, PlainPageQuery, readTimePage, toPage, type Route } from '@steward/http';
import { findChannel, listChannels } from '@steward/webhooks';
import type { EventWebhooksDeps } from '../webhooks-deps.ts';
import { ChannelAnswer, ChannelParams } from './channel-schemas.ts';
import { presentChannel } from './present-channel.ts';

type Deps = Pick<EventWebhooksDeps, 'db' | 'secretBoxes'>;

export function createListChannelsRoute(deps: Deps): Route {
  return defineRoute({
    operationId: 'listNoticeChannels',
    method: 'get',
    path: '/api/v1/notice-channels',
    permissions: ['view_policies'],
    summary: 'List notice channels, newest first.',
    query: PlainPageQuery,
    responses: { 200: { description: 'A page of channels.', name: 'NoticeChannel', schema: pageOf(ChannelAnswer) } },
    handler: async ({ query, principal }) => {
      const { limit, after } = readTimePage(query);
      const channels = await listChannels(deps.db, { accountId: principal.accountId, beforeId: after?.id, limit });
      const page = toPage(channels, limit, {
        item: (channel) => presentChannel(channel, { reader: principal, box: deps.secretBoxes.webhook }),
        cursor: ({ createdAt, id }) => encodeCursor(createdAt, id),
      });
      return { status: 200, body: page };
    },
  });
}

export function createReadChannelRoute(deps: Deps): Route {
  return defineRoute({
    operationId: 'readNoticeChannel',
    method: 'get',
    path: '/api/v1/notice-channels/{channel_id}',
    permissions: ['view_policies'],
    summary: 'Read a notice channel with the outcome of its last delivery.',
    params: ChannelParams,
    responses: { 200: { description: 'The channel.', name: 'NoticeChannel', schema: ChannelAnswer } },
    handler: async ({ params, principal }) => {
      const channel = requireFound(await findChannel(deps.db, principal.accountId, params.channel_id));
      return { status: 200, body: presentChannel(channel, { reader: principal, box: deps.secretBoxes.webhook }) };
    },
  });
}
