import type { Static } from '@sinclair/typebox';
import type { Principal } from '@steward/contracts';
import type { SecretBox } from '@steward/crypto';
import {
  buildEventHeaders,
  describeSentHeaders,
  describeUrlContext,
  type Delivery,
  type Endpoint,
  type InspectedDelivery,
  type RecoveryJob,
  type StoredEvent,
} from '@steward/webhooks';
import { hideAddress, readStored, showAddress } from '@steward/api';
import type {
  DeliveryAnswer,
  DeliveryWithAttempts,
  EndpointAnswer,
  EventAnswer,
  RecoveryAnswer,
} from './webhooks-schemas.ts';

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

export interface EndpointReader {
  readonly reader: Principal;
  readonly box: Pick<SecretBox, 'open'>;
}

export function presentEndpoint(endpoint: Endpoint, { reader, box }: EndpointReader): Static<typeof EndpointAnswer> {
  const url = readStored(endpoint.address, describeUrlContext(endpoint.id), box);
  return {
    id: endpoint.id,
    // The address of a workflow's endpoint may be that of a chat webhook, which is secret, so only the origin is
    // returned.
    url: endpoint.source === 'account' ? showAddress(url, reader, 'manage_policies') : hideAddress(url),
    description: endpoint.description,
    group: endpoint.group,
    event_types: [...endpoint.eventTypes],
    active: endpoint.active,
    keep_answers: endpoint.keepsAnswers,
    source: endpoint.source,
    secret_hint: endpoint.secretHint,
    circuit_state: endpoint.circuitState,
    circuit_open_until: iso(endpoint.circuitOpenUntil),
    consecutive_failures: endpoint.consecutiveFailures,
    refusal_reason: endpoint.refusalReason,
    refused_at: iso(endpoint.refusedAt),
    last_delivery_status: endpoint.lastDeliveryStatus,
    last_delivery_at: iso(endpoint.lastDeliveryAt),
    last_response_status: endpoint.lastResponseStatus,
    last_error: endpoint.lastError,
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
  };
}

export function presentDelivery(delivery: Delivery): Static<typeof DeliveryAnswer> {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    endpoint_id: delivery.endpointId,
    generation: delivery.generation,
    status: delivery.status,
    attempt_count: delivery.attemptCount,
    next_attempt_at: iso(delivery.nextAttemptAt),
    occurred_at: delivery.occurredAt.toISOString(),
    created_at: delivery.createdAt.toISOString(),
    delivered_at: iso(delivery.deliveredAt),
    response_status: delivery.responseStatus,
    last_error: delivery.lastError,
  };
}

export function presentInspection(inspected: InspectedDelivery): Static<typeof DeliveryWithAttempts> {
  const { delivery, breakerMoves, hold } = inspected;
  return {
    ...presentDelivery(delivery),
    held_because: hold?.reason ?? null,
    held_until: iso(hold?.until ?? null),
    breaker_history: breakerMoves.map((move) => ({
      at: move.movedAt.toISOString(),
      from: move.from,
      to: move.to,
      reason: move.reason,
      consecutive_failures: move.consecutiveFailures,
    })),
    attempts: presentAttempts(inspected),
  };
}

function presentAttempts({
  delivery,
  attempts,
  request,
}: InspectedDelivery): Static<typeof DeliveryWithAttempts>['attempts'] {
  return attempts.map((attempt) => ({
    number: attempt.number,
    started_at: attempt.startedAt.toISOString(),
    duration_ms: attempt.durationMs,
    dns_ms: attempt.dnsMs,
    connect_ms: attempt.connectMs,
    tls_ms: attempt.tlsMs,
    first_byte_ms: attempt.firstByteMs,
    response_status: attempt.responseStatus,
    error: attempt.error,
    error_class: attempt.errorClass,
    remote_address: attempt.remoteAddress,
    next_attempt_at: iso(attempt.nextAttemptAt),
    answer: attempt.answer ?? null,
    probe: attempt.isProbe,
    request_headers:
      request === undefined
        ? null
        : describeSentHeaders({
            ...{ ...request, startedAt: attempt.startedAt, attemptNumber: attempt.number },
            ...{ eventId: delivery.eventId, eventType: delivery.eventType, deliveryId: delivery.id },
          }),
  }));
}

export function presentEvent(event: StoredEvent): Static<typeof EventAnswer> {
  return {
    id: event.id,
    type: event.type,
    occurred_at: event.occurredAt.toISOString(),
    created_at: event.createdAt.toISOString(),
    headers: buildEventHeaders({ eventId: event.id, eventType: event.type }),
    body: event.body.toString(),
  };
}

export function presentRecovery(job: RecoveryJob): Static<typeof RecoveryAnswer> {
  const finished = job.finishedAt !== null;
  return {
    id: job.id,
    endpoint_id: job.endpointId,
    since: job.since.toISOString(),
    until: job.until.toISOString(),
    status: finished ? 'finished' : 'running',
    matched: job.matched,
    queued: job.queued,
    skipped: finished ? Math.max(0, job.matched - job.queued) : null,
    created_at: job.createdAt.toISOString(),
    finished_at: iso(job.finishedAt),
  };
}
