import type { Clock } from '@steward/async';
import { openAddress, type SecretBox } from '@steward/crypto';
import { parseRetryAfterMs } from '@steward/egress';
import { maskCredentials } from '@steward/masking';
import { openSpan, type SpanStart } from '@steward/telemetry';
import { toStorableText } from '@steward/text';
import { buildRequestHeaders, describeUrlContext, toTimestamp, type ClaimedDelivery } from '@steward/webhooks';
import type { Channel, ChannelResult } from '../engine/channel.ts';
import type { Poster, PostRequest, PostResult } from './create-poster.ts';

export interface HttpChannelDeps {
  readonly poster: Poster;
  readonly secretBox: Pick<SecretBox, 'open'>;
  readonly clock: Clock;
}

/**
 * Creates the channel that sends deliveries as signed POSTs: it decrypts the address and the secrets, signs the stored
 * bytes, and posts.
 */
export function createHttpChannel(deps: HttpChannelDeps): Channel {
  return {
    async attempt(claim, startedAt) {
      const prepared = prepare(claim, startedAt, deps);
      if (prepared.kind === 'own_fault') return prepared;
      const { request } = prepared;
      const { retryAfter, answer, ...facts } = await post(deps.poster, claim, request);
      const retryAfterMs = parseRetryAfterMs(retryAfter, deps.clock.now());
      return { kind: 'attempted', facts: { ...facts, answer: answer && readAnswer(answer), retryAfterMs } };
    },
    close: () => deps.poster.close(),
  };
}

/**
 * Returns a response in the form in which it is stored: text without credentials; null if it is not text. A truncated
 * character at the end is omitted.
 */
export function readAnswer(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return toStorableText(maskCredentials(text));
  } catch {
    return null;
  }
}

/** Describes the span without the address, which may contain a secret. */
function describePost({ id, eventId, eventType, attemptCount, traceparent }: ClaimedDelivery): SpanStart {
  return {
    name: 'POST',
    kind: 'client',
    parent: traceparent,
    attributes: {
      'http.request.method': 'POST',
      'http.request.resend_count': attemptCount === 0 ? undefined : attemptCount,
      'steward.delivery.id': id,
      'steward.event.id': eventId,
      'steward.event.type': eventType,
    },
  };
}

async function post(poster: Poster, claim: ClaimedDelivery, request: PostRequest): Promise<PostResult> {
  const span = openSpan(describePost(claim));
  const result = await poster.post(request);
  span?.set({ 'http.response.status_code': result.responseStatus ?? undefined });
  span?.end(result.errorClass ?? undefined);
  return result;
}

type Prepared =
  | { readonly kind: 'ready'; readonly request: Parameters<Poster['post']>[0] }
  | Extract<ChannelResult, { kind: 'own_fault' }>;

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
    // A delivery is never sent unsigned or to another address. Most likely, ENDPOINT_SECRET_KEY is not derived from the
    // gateway's SECRET_KEY.
    return { kind: 'own_fault', reason: 'the endpoint cannot be decrypted; check ENDPOINT_SECRET_KEY', cause };
  }
}
