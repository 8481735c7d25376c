import { recordAudit } from '@steward/audit';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { deleteChannel } from '@steward/webhooks';
import type { EventWebhooksDeps } from '../webhooks-deps.ts';
import { ChannelParams } from './channel-schemas.ts';

export function createDeleteChannelRoute(deps: EventWebhooksDeps): Route {
  return defineRoute({
    operationId: 'deleteNoticeChannel',
    method: 'delete',
    path: '/api/v1/notice-channels/{channel_id}',
    permissions: ['manage_policies'],
    summary: 'Delete a notice channel. Notices that have not been posted yet are cancelled.',
    params: ChannelParams,
    responses: { 204: { description: 'Deleted.' } },
    audit: { resourceType: 'notice_channel' },
    handler: async ({ params: { channel_id: channelId }, principal: { accountId }, audit }) => {
      await transact(deps, async (trx) => {
        if (!(await deleteChannel(trx, { accountId, channelId }))) throw new AppError('not_found');
        await recordAudit(trx, audit({ resourceId: channelId, details: {} }));
      });
      return { status: 204 };
    },
  });
}
