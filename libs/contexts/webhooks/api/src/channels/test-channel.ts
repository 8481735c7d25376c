import { requireFound } from '@steward/api';
import { recordAudit } from '@steward/audit';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { findChannel, sendTestNotice } from '@steward/webhooks';
import { refuseFullOutbox, type EventWebhooksDeps } from '../webhooks-deps.ts';
import { ChannelParams, TestNoticeAnswer, TestNoticeBody } from './channel-schemas.ts';

export function createTestChannelRoute(deps: EventWebhooksDeps): Route {
  return defineRoute({
    operationId: 'testNoticeChannel',
    method: 'post',
    path: '/api/v1/notice-channels/{channel_id}/test',
    permissions: ['manage_policies'],
    summary: 'Post a test notice, or the example notice of a notice type, to one channel.',
    description:
      'The delivery (`GET /api/v1/event-webhooks/deliveries/{id}`) contains the response of Slack, Teams or ntfy.',
    params: ChannelParams,
    body: TestNoticeBody,
    bodyOptional: true,
    responses: { 202: { description: 'The notice is queued.', name: 'TestNotice', schema: TestNoticeAnswer } },
    audit: { action: 'test_send', resourceType: 'notice_channel' },
    handler: async ({ params, body, principal: { accountId, userId }, audit, traceparent }) => {
      const channelId = params.channel_id;
      const maxPendingPerAccount = deps.settings.webhookMaxPendingPerAccount;
      const notice = body?.notice;
      const test = { accountId, channelId, requestedByUserId: userId, now: deps.clock.now(), notice };
      const outcome = await transact({ ...deps, traceparent }, async (trx, hints) => {
        requireFound(await findChannel(trx, accountId, channelId));
        const sent = await sendTestNotice(trx, hints, test, { maxPendingPerAccount });
        // The error response is sent after the commit, so that the mark for a refused event is not rolled back.
        if (sent.kind !== 'emitted') return sent;
        await recordAudit(trx, audit({ resourceId: channelId, details: { event_id: sent.eventId, notice } }));
        return sent;
      });
      if (outcome.kind === 'refused') throw refuseFullOutbox(maxPendingPerAccount);
      const [deliveryId] = outcome.kind === 'emitted' ? outcome.deliveryIds : [];
      if (outcome.kind !== 'emitted' || deliveryId === undefined) throw new AppError('not_found');
      return { status: 202, body: { event_id: outcome.eventId, delivery_id: deliveryId } };
    },
  });
}
