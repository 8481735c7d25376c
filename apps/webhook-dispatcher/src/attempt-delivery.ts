import type { Clock, Logger, SecretBox } from '@steward/runtime';
import {
  buildRequestHeaders,
  computeRetryDelayMs,
  delayByRetryAfter,
  type AttemptVerdict,
  type ClaimedDelivery,
  type DeliveryOutcome,
} from '@steward/slice-webhooks';
import type { DeliverySummary } from './delivery-summary.ts';
import type { DispatcherMetrics } from './dispatcher-metrics.ts';
import type { Poster, PostResult } from './http/create-poster.ts';

export type AttemptOutcome =
  | { readonly kind: 'attempted'; readonly outcome: DeliveryOutcome }
  /** Nothing was sent and no attempt is burnt: the fault is on our side (missing event, a secret that does not open). */
  | { readonly kind: 'own_fault'; readonly reason: string };

export interface AttemptDeps {
  readonly poster: Poster;
  readonly secretBox: Pick<SecretBox, 'open'>;
  readonly clock: Clock;
  /** Uniform in [0, 1), for the jitter. */
  readonly random: () => number;
  /** Another schedule than the contract's, for tests. */
  readonly retryDelaysSeconds?: readonly number[];
  readonly logger: Logger;
  readonly metrics: DispatcherMetrics;
  readonly summary: DeliverySummary;
}

/** One attempt of one claimed delivery: open the secrets, sign the stored bytes, post, judge. Writes nothing. */
export async function attemptDelivery(claim: ClaimedDelivery, deps: AttemptDeps): Promise<AttemptOutcome> {
  const prepared = prepare(claim, deps);
  if (prepared.kind === 'own_fault') {
    deps.metrics.countAttempt('own_fault', 'none');
    deps.logger.error('delivery.not_attempted', {
      ...describeClaim(claim),
      reason: prepared.reason,
      error: prepared.cause,
    });
    return { kind: 'own_fault', reason: prepared.reason };
  }
  const startedAt = deps.clock.now();
  const result = await deps.poster.post({ url: claim.url, headers: prepared.headers, body: prepared.body });
  const outcome = judge(claim, result, startedAt, deps);
  report(claim, outcome, deps);
  return { kind: 'attempted', outcome };
}

type Prepared =
  | { readonly kind: 'ready'; readonly headers: Record<string, string>; readonly body: Buffer }
  | { readonly kind: 'own_fault'; readonly reason: string; readonly cause?: unknown };

function prepare(claim: ClaimedDelivery, { secretBox, clock }: AttemptDeps): Prepared {
  const { body } = claim;
  if (body === null) return { kind: 'own_fault', reason: 'the event of this delivery is missing' };
  if (claim.sealedSecrets.length === 0) return { kind: 'own_fault', reason: 'the endpoint has no secret' };
  try {
    const headers = buildRequestHeaders({
      eventId: claim.eventId,
      eventType: claim.eventType,
      deliveryId: claim.id,
      attemptNumber: claim.attemptCount + 1,
      secrets: claim.sealedSecrets.map((sealed) => secretBox.open(sealed, claim.endpointId)),
      timestamp: Math.floor(clock.now().getTime() / 1000),
      body,
    });
    return { kind: 'ready', headers, body };
  } catch (cause) {
    // Never sent unsigned: most likely SECRET_KEY differs from the gateway's.
    return { kind: 'own_fault', reason: 'the endpoint secret does not open; check SECRET_KEY', cause };
  }
}

function judge(claim: ClaimedDelivery, result: PostResult, startedAt: Date, deps: AttemptDeps): DeliveryOutcome {
  const number = claim.attemptCount + 1;
  const scheduledMs = result.succeeded
    ? undefined
    : computeRetryDelayMs(number, deps.random(), deps.retryDelaysSeconds);
  const { succeeded: _succeeded, retryAfter, ...facts } = result;
  const retryDelayMs =
    scheduledMs === undefined ? undefined : delayByRetryAfter(scheduledMs, retryAfter, deps.clock.now());
  const verdict: AttemptVerdict = result.succeeded ? 'delivered' : retryDelayMs === undefined ? 'dead' : 'failed';
  return {
    deliveryId: claim.id,
    eventId: claim.eventId,
    accountId: claim.accountId,
    endpointId: claim.endpointId,
    claimToken: claim.claimToken,
    urlVersion: claim.urlVersion,
    isProbe: claim.isProbe,
    verdict,
    retryDelayMs,
    attempt: { number, startedAt, ...facts },
  };
}

function report(claim: ClaimedDelivery, outcome: DeliveryOutcome, deps: AttemptDeps): void {
  const { attempt, verdict, retryDelayMs } = outcome;
  deps.metrics.countAttempt(verdict, attempt.errorClass ?? 'none');
  deps.metrics.observeAttempt(attempt.durationMs / 1000);
  if (verdict === 'delivered') {
    const waitedMs = attempt.startedAt.getTime() + attempt.durationMs - claim.createdAt.getTime();
    deps.metrics.observePublishToDelivered(Math.max(0, waitedMs) / 1000);
  }
  deps.summary.count(verdict, attempt.durationMs);
  deps.logger[verdict === 'delivered' ? 'debug' : 'info']('delivery.attempted', {
    ...describeClaim(claim),
    attempt: attempt.number,
    probe: claim.isProbe,
    outcome: verdict,
    response_status: attempt.responseStatus,
    error_class: attempt.errorClass,
    duration_ms: attempt.durationMs,
    remote_address: attempt.remoteAddress,
    ...(retryDelayMs === undefined ? {} : { retry_in_ms: retryDelayMs }),
  });
}

/** The fields that name a delivery in the log; never its URL, which may hold a secret. */
function describeClaim(claim: ClaimedDelivery): Record<string, unknown> {
  return {
    account_id: claim.accountId,
    delivery_id: claim.id,
    event_id: claim.eventId,
    event_type: claim.eventType,
    endpoint_id: claim.endpointId,
    generation: claim.generation,
  };
}
