import { DELIVERY_CONTRACT } from '@steward/contracts';
import { openAddress, type SecretBox } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import {
  describeUrlContext,
  findPushReader,
  NOTICES,
  openPushKey,
  type ClaimedDelivery,
  type NoticeType,
  type PushKeys,
} from '@steward/webhooks';
import { withhold, type Channel } from '../engine/channel.ts';
import { createPostChannel, type PostChannelDeps, type Prepared } from '../http/post-channel.ts';
import { describeNotice } from '../notices/describe-notice.ts';
import type { Notice } from '../notices/notice.ts';
import { describeMessage } from './describe-message.ts';
import { encryptMessage, signVapid } from './encrypt-message.ts';

export interface PushChannelDeps extends PostChannelDeps {
  readonly db: AnyDatabase;
  readonly secretBox: Pick<SecretBox, 'open'>;
  /** Identifies this deployment to push services. */
  readonly publicUrl: string;
}

/** Time for which a push service stores a message for a browser that is not running. */
const TTL_SECONDS = 24 * 3600;

/**
 * Sends deliveries to browsers, encrypted for the browser (RFC 8291) and signed for its push service (RFC 8292). A
 * delivery is sent only if the login of the browser has not ended, and its user may read the subject of the notice at
 * this moment.
 */
export function createPushChannel(deps: PushChannelDeps): Channel {
  return createPostChannel(deps, (claim) => prepare(claim, deps));
}

async function prepare(claim: ClaimedDelivery, deps: PushChannelDeps): Promise<Prepared> {
  const { body, eventType } = claim;
  try {
    const notice = body === null ? undefined : describeNotice(body);
    if (notice === undefined) return { kind: 'own_fault', reason: 'there is no notice for this type' };
    const permissions = await findPushReader(deps.db, claim.endpointId);
    if (permissions === undefined) return withhold('the login of this browser ended');
    const needed = NOTICES[eventType as NoticeType] as string | undefined;
    if (needed !== undefined && !permissions.includes(needed)) return withhold(`the person lacks ${needed}`);
    return await encrypt(claim, notice, deps);
  } catch (cause) {
    return { kind: 'own_fault', reason: 'the notice cannot be encrypted; check ENDPOINT_SECRET_KEY', cause };
  }
}

async function encrypt(claim: ClaimedDelivery, notice: Notice, deps: PushChannelDeps): Promise<Prepared> {
  const { db, secretBox, publicUrl, clock } = deps;
  const key = await openPushKey(db, secretBox);
  const [sealedKeys] = claim.sealedSecrets;
  if (key === undefined || sealedKeys === undefined) return { kind: 'own_fault', reason: 'there is no push key' };
  const endpoint = openAddress(claim.address, describeUrlContext(claim.endpointId), secretBox);
  const keys = JSON.parse(secretBox.open(sealedKeys, claim.endpointId)) as PushKeys;
  const bytes = encryptMessage(describeMessage(claim.eventId, notice), keys);
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Content-Encoding': 'aes128gcm',
    'Content-Length': String(bytes.byteLength),
    'User-Agent': DELIVERY_CONTRACT.userAgent,
    TTL: String(TTL_SECONDS),
    Urgency: notice.urgency === 'normal' ? 'normal' : 'high',
    Authorization: await signVapid({ key, endpoint, subject: nameSubject(publicUrl), now: clock.now() }),
  };
  return { kind: 'ready', request: { url: endpoint, headers, body: bytes } };
}

/** Returns the contact that push services require: an https or a mailto URL. */
function nameSubject(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? publicUrl : 'mailto:operator@steward.invalid';
}
