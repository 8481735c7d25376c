import type { Clock } from '@steward/async';
import { describeTrace } from '@steward/crypto';
import type { Logger } from '@steward/process';
import {
  computeRetryDelayMs,
  delayRetry,
  type AttemptVerdict,
  type ClaimedDelivery,
  type DeliveryOutcome,
} from '@steward/webhooks';
import type { DeliverySummary } from '../delivery-summary.ts';
import type { DispatcherMetrics } from '../dispatcher-metrics.ts';
import type { AttemptFacts, Channel } from './channel.ts';

export type AttemptOutcome =
  { readonly kind: 'attempted'; readonly outcome: DeliveryOutcome } | { readonly kind: 'own_fault' };

export interface AttemptDeps {
  readonly channel: Channel;
  readonly clock: Clock;
  /** Returns a random number, uniformly distributed in [0, 1), for the jitter. */
  readonly random: () => number;
  /** Replaces the retry schedule of the contract in tests. */
  readonly retryDelaysSeconds?: readonly number[];
  readonly logger: Logger;
  readonly metrics: DispatcherMetrics;
  readonly summary: DeliverySummary;
}

/** Makes one attempt of one claimed delivery: sends it, evaluates the result, reports it. Writes nothing. */
export async function attemptDelivery(claim: ClaimedDelivery, deps: AttemptDeps): Promise<AttemptOutcome> {
  const startedAt = deps.clock.now();
  const result = await deps.channel.attempt(claim, startedAt);
  if (result.kind === 'own_fault') {
    deps.metrics.countAttempt('own_fault', 'none');
    const { reason, cause } = result;
    deps.logger.error('delivery.not_attempted', { ...describeClaim(claim), reason, error: cause });
    return { kind: 'own_fault' };
  }
  const outcome = judge(claim, result.facts, startedAt, deps);
  report(claim, outcome, deps);
  return { kind: 'attempted', outcome };
}

function judge(claim: ClaimedDelivery, facts: AttemptFacts, startedAt: Date, deps: AttemptDeps): DeliveryOutcome {
  const { succeeded, retryAfterMs, ...attempt } = facts;
  const number = claim.attemptCount + 1;
  const scheduledMs = succeeded ? undefined : computeRetryDelayMs(number, deps.random(), deps.retryDelaysSeconds);
  const verdict: AttemptVerdict = succeeded ? 'delivered' : scheduledMs === undefined ? 'dead' : 'failed';
  return {
    deliveryId: claim.id,
    eventId: claim.eventId,
    accountId: claim.accountId,
    endpointId: claim.endpointId,
    claimToken: claim.claimToken,
    urlVersion: claim.urlVersion,
    isProbe: claim.isProbe,
    verdict,
    retryDelayMs: scheduledMs === undefined ? undefined : delayRetry(scheduledMs, retryAfterMs),
    attempt: { number, startedAt, ...attempt },
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

/** Returns the fields that identify a delivery in the log; never its URL, which may contain a secret. */
function describeClaim(claim: ClaimedDelivery): Record<string, unknown> {
  return {
    account_id: claim.accountId,
    delivery_id: claim.id,
    event_id: claim.eventId,
    event_type: claim.eventType,
    endpoint_id: claim.endpointId,
    generation: claim.generation,
    ...describeTrace(claim.traceparent),
  };
}
