import type { AnyDatabase } from '@steward/database';
import { isRecorded, openSpan } from '@steward/telemetry';
import { readEventTrace, type ClaimedDelivery, type DeliveryOutcome } from '@steward/webhooks';

/**
 * Records an ended delivery as the span with the ids that were sent to its receiver and stored in its row, starting
 * when it was queued: as a child of its event, and parent of its attempts. The database generated its ids, so nobody
 * recorded it before.
 */
export async function recordDelivery(
  db: AnyDatabase,
  claim: ClaimedDelivery,
  { verdict, attempt }: Pick<DeliveryOutcome, 'verdict' | 'attempt'>,
): Promise<void> {
  const { traceparent } = claim;
  if (traceparent === null || verdict === 'failed' || !isRecorded(traceparent)) return;
  // A delivery must not fail because of a span.
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
