import { DELIVERY_CONTRACT } from '@steward/contracts';
import { openAddress, type SecretBox } from '@steward/crypto';
import { describeUrlContext, type ChannelKind, type ClaimedDelivery } from '@steward/webhooks';
import type { Channel } from '../engine/channel.ts';
import { createPostChannel, type PostChannelDeps, type Prepared } from '../http/post-channel.ts';
import { describeNotice } from './describe-notice.ts';
import { formatNotice } from './format-notice.ts';

export interface NoticeChannelDeps extends PostChannelDeps {
  readonly secretBox: Pick<SecretBox, 'open'>;
  /** Links begin with this URL. */
  readonly publicUrl: string;
}

/** Sends deliveries to notice channels, each in the format of its service. */
export function createNoticeChannel(deps: NoticeChannelDeps): Channel {
  return createPostChannel(deps, (claim) => prepare(claim, deps));
}

function prepare(claim: ClaimedDelivery, { secretBox, publicUrl }: NoticeChannelDeps): Prepared {
  const { body, channelKind } = claim;
  if (body === null) return { kind: 'own_fault', reason: 'the event of this notice is missing' };
  try {
    const notice = describeNotice(body);
    if (notice === undefined || channelKind === null || channelKind === 'web_push')
      return { kind: 'own_fault', reason: 'there is no notice for this type' };
    const address = openAddress(claim.address, describeUrlContext(claim.endpointId), secretBox);
    const { path, ...words } = notice;
    const post = formatNotice(channelKind, { ...words, url: `${publicUrl}${path}` }, address);
    const bytes = Buffer.from(JSON.stringify(post.body));
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': DELIVERY_CONTRACT.userAgent,
      'Content-Length': String(bytes.byteLength),
      Accept: '*/*',
      'Accept-Encoding': 'identity',
      ...describeAuthorization(claim, channelKind, secretBox),
    };
    return { kind: 'ready', request: { url: post.url, headers, body: bytes, keepsAnswer: claim.keepsAnswers } };
  } catch (cause) {
    return { kind: 'own_fault', reason: 'the notice cannot be written; check ENDPOINT_SECRET_KEY', cause };
  }
}

/**
 * Returns the header with the token. Only ntfy accepts a token; the URLs of the other services are themselves
 * credentials.
 */
function describeAuthorization(
  { sealedSecrets: [token], endpointId }: ClaimedDelivery,
  kind: ChannelKind,
  secretBox: Pick<SecretBox, 'open'>,
): Record<string, string> {
  if (kind !== 'ntfy' || token === undefined) return {};
  return { Authorization: `Bearer ${secretBox.open(token, endpointId)}` };
}
