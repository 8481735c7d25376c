import { recordAudit } from '@steward/audit';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { toStorableText } from '@steward/text';
import { createChannel, ENDPOINT_FAILING, MAX_CHANNELS_PER_ACCOUNT, type NoticeType } from '@steward/webhooks';
import type { EventWebhooksDeps } from '../webhooks-deps.ts';
import { ChannelAnswer, CreateChannelBody } from './channel-schemas.ts';
import { presentChannel } from './present-channel.ts';
import { requireChannelTarget, requireTokenOf } from './require-channel.ts';

const DEFAULT_NOTICES: readonly NoticeType[] = [
  'approval.created',
  'budget.threshold',
  'budget.exceeded',
  ENDPOINT_FAILING,
];

export function createCreateChannelRoute(deps: EventWebhooksDeps): Route {
  return defineRoute({
    operationId: 'createNoticeChannel',
    method: 'post',
    path: '/api/v1/notice-channels',
    permissions: ['manage_policies'],
    summary: 'Add a channel to which notices for people are posted: Slack, Teams or ntfy.',
    body: CreateChannelBody,
    bodyExample: {
      kind: 'slack',
      url: 'https://hooks.slack.com/services/T000/B000/XXXX',
      description: '#agents',
      notices: ['approval.created', 'budget.exceeded'],
    },
    responses: { 201: { description: 'The channel.', name: 'NoticeChannel', schema: ChannelAnswer } },
    audit: { resourceType: 'notice_channel' },
    handler: async ({ body, principal, audit }) => {
      const { accountId } = principal;
      const { kind, url, token, notices = DEFAULT_NOTICES } = body;
      requireTokenOf(kind, token);
      await requireChannelTarget(kind, url, deps);
      const input = { accountId, kind, url, token, notices, description: toStorableText(body.description ?? '') };
      const channel = await transact(deps, async (trx) => {
        const outcome = await createChannel(trx, input, deps.secretBoxes.webhook);
        if (outcome.kind === 'limit_reached')
          throw new AppError('quota_reached', { detail: { limit: MAX_CHANNELS_PER_ACCOUNT } });
        await recordAudit(trx, audit({ resourceId: outcome.channel.id, details: { kind, notices } }));
        return outcome.channel;
      });
      return { status: 201, body: presentChannel(channel, { reader: principal, box: deps.secretBoxes.webhook }) };
    },
  });
}
