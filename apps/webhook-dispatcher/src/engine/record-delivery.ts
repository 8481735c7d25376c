import type { AnyDatabase } from '@steward/database';
import { isRecorded, openSpan } from '@steward/telemetry';
import { readEventTrace, type ClaimedDelivery, type DeliveryOutcome } from '@steward/webhooks';

/**
 * Records a delivery that ended as the span whose ids its row and its receiver have, from when it was queued: after its
 * event, before its attempts. The database drew its ids, so that nobody recorded it before.
 */
export async function recordDelivery(
  db: AnyDatabase,
  claim: ClaimedDelivery,
  { verdict, attempt }: Pick<DeliveryOutcome, 'verdict' | 'attempt'>,
): Promise<void> {
  const { traceparent } = claim;
  if (traceparent === null || verdict === 'failed' || !isRecorded(traceparent)) return;
  // A span is worth no failure of a delivery.
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
