import type { Clock } from '@steward/async';
import { parseRetryAfterMs } from '@steward/egress';
import { maskCredentials } from '@steward/masking';
import { openSpan, type SpanStart } from '@steward/telemetry';
import { toStorableText } from '@steward/text';
import type { ClaimedDelivery } from '@steward/webhooks';
import type { Channel, ChannelResult } from '../engine/channel.ts';
import type { Poster, PostRequest, PostResult } from './create-poster.ts';

export interface PostChannelDeps {
  readonly poster: Poster;
  readonly clock: Clock;
}

/** A request, or the result of an attempt that needs no request. */
export type Prepared = { readonly kind: 'ready'; readonly request: PostRequest } | ChannelResult;

/**
 * Sends deliveries as POST requests that `prepare` creates. Several channels may share a poster. Closing any of them
 * closes the poster, so the app closes only one of them.
 */
export function createPostChannel(
  { poster, clock }: PostChannelDeps,
  prepare: (claim: ClaimedDelivery, startedAt: Date) => Prepared | Promise<Prepared>,
): Channel {
  return {
    async attempt(claim, startedAt) {
      const prepared = await prepare(claim, startedAt);
      if (prepared.kind !== 'ready') return prepared;
      const { retryAfter, answer, ...facts } = await post(poster, claim, prepared.request);
      const retryAfterMs = parseRetryAfterMs(retryAfter, clock.now());
      return { kind: 'attempted', facts: { ...facts, answer: answer && readAnswer(answer), retryAfterMs } };
    },
    close: () => poster.close(),
  };
}

/**
 * Returns the stored form of a response body: text without credentials; null if it is not text. A truncated character
 * at the end is omitted.
 */
function readAnswer(bytes: Buffer): string | null {
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
