import { requireFound } from '@steward/api';
import { recordAudit } from '@steward/audit';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { toStorableText } from '@steward/text';
import { findChannel, updateChannel } from '@steward/webhooks';
import type { EventWebhooksDeps } from '../webhooks-deps.ts';
import { ChannelAnswer, ChannelParams, UpdateChannelBody } from './channel-schemas.ts';
import { presentChannel } from './present-channel.ts';
import { requireChannelTarget, requireTokenOf } from './require-channel.ts';

export function createUpdateChannelRoute(deps: EventWebhooksDeps): Route {
  return defineRoute({
    operationId: 'updateNoticeChannel',
    method: 'patch',
    path: '/api/v1/notice-channels/{channel_id}',
    permissions: ['manage_policies'],
    summary:
      'Update a notice channel. Changing the origin of the URL removes the token unless the request contains a new token.',
    params: ChannelParams,
    body: UpdateChannelBody,
    bodyExample: { notices: ['approval.created'] },
    responses: { 200: { description: 'The channel.', name: 'NoticeChannel', schema: ChannelAnswer } },
    audit: { resourceType: 'notice_channel' },
    handler: async ({ params, body, principal, audit, traceparent }) => {
      const { accountId } = principal;
      const channelId = params.channel_id;
      // The channel is read without a lock, because its kind never changes.
      const { kind } = requireFound(await findChannel(deps.db, accountId, channelId));
      requireTokenOf(kind, body.token);
      if (body.url !== undefined) await requireChannelTarget(kind, body.url, deps);
      const { description, ...fields } = body;
      const patch = {
        ...fields,
        ...(description === undefined ? {} : { description: toStorableText(description) }),
      };
      const channel = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const changed = await updateChannel(trx, hints, { accountId, channelId, patch }, deps.secretBoxes.webhook);
        const found = requireFound(changed);
        await recordAudit(trx, audit({ resourceId: channelId, details: { changed: Object.keys(body).sort() } }));
        return found;
      });
      return { status: 200, body: presentChannel(channel, { reader: principal, box: deps.secretBoxes.webhook }) };
    },
  });
}
