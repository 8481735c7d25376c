import type { AnyDatabase } from '@steward/database';
import { isRecorded, openSpan } from '@steward/telemetry';
import { readEventTrace, type ClaimedDelivery, type DeliveryOutcome } from '@steward/webhooks';

/**
 * Records the span of a completed delivery. The span starts at the time at which the delivery was queued; it is a child
 * of the event's span, and the parent of the spans of the attempts. The database generated the ids of the span, which
 * were sent to the receiver; the span itself is recorded only now.
 */
export async function recordDelivery(
  db: AnyDatabase,
  claim: ClaimedDelivery,
  { verdict, attempt }: Pick<DeliveryOutcome, 'verdict' | 'attempt'>,
): Promise<void> {
  const { traceparent } = claim;
  if (traceparent === null || verdict === 'failed' || !isRecorded(traceparent)) return;
  // An error while recording the span must not make the delivery fail.
  const parent = await readEventTrace(db, claim).catch(() => undefined);
  const span = openSpan({
    name: 'deliver event',
    kind: 'producer',
    traceparent,
    parent: parent ?? null,
    startTime: claim.createdAt,
    attributes: {
      'steward.account.id': claim.accountId,
      'steward.delivery.id': claim.id,
      'steward.delivery.attempts': attempt.number,
      'steward.event.id': claim.eventId,
      'steward.event.type': claim.eventType,
    },
  });
  span?.end(verdict === 'dead' ? (attempt.errorClass ?? 'dead') : undefined);
}
