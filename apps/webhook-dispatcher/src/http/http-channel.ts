import { openAddress, type SecretBox } from '@steward/crypto';
import { buildRequestHeaders, describeUrlContext, toTimestamp, type ClaimedDelivery } from '@steward/webhooks';
import type { Channel } from '../engine/channel.ts';
import { createPostChannel, type PostChannelDeps, type Prepared } from './post-channel.ts';

export interface HttpChannelDeps extends PostChannelDeps {
  readonly secretBox: Pick<SecretBox, 'open'>;
}

/**
 * Creates the channel that sends deliveries as signed POSTs: it decrypts the address and the secrets, signs the stored
 * bytes, and posts.
 */
export function createHttpChannel(deps: HttpChannelDeps): Channel {
  return createPostChannel(deps, (claim, startedAt) => prepare(claim, startedAt, deps));
}

function prepare(claim: ClaimedDelivery, startedAt: Date, { secretBox }: Pick<HttpChannelDeps, 'secretBox'>): Prepared {
  const { body } = claim;
  if (body === null) return { kind: 'own_fault', reason: 'the event of this delivery is missing' };
  if (claim.sealedSecrets.length === 0) return { kind: 'own_fault', reason: 'the endpoint has no secret' };
  try {
    const url = openAddress(claim.address, describeUrlContext(claim.endpointId), secretBox);
    const headers = buildRequestHeaders({
      eventId: claim.eventId,
      eventType: claim.eventType,
      deliveryId: claim.id,
      attemptNumber: claim.attemptCount + 1,
      secrets: claim.sealedSecrets.map((sealed) => secretBox.open(sealed, claim.endpointId)),
      timestamp: toTimestamp(startedAt),
      traceparent: claim.traceparent,
      body,
    });
    return { kind: 'ready', request: { url, headers, body, keepsAnswer: claim.keepsAnswers } };
  } catch (cause) {
    // A delivery is never sent unsigned or to another address. The most likely cause is that ENDPOINT_SECRET_KEY is not
    // derived from the gateway's SECRET_KEY.
    return { kind: 'own_fault', reason: 'the endpoint cannot be decrypted; check ENDPOINT_SECRET_KEY', cause };
  }
}
