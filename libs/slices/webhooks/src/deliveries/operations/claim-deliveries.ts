import type { AnyDatabase } from '@steward/database';
import { claimDue, type ClaimInput } from '../store/claim.store.ts';
import type { ClaimedDelivery } from '../store/claimed-rows.store.ts';
import { parkDeliveries, wakeDeliveries } from '../store/parking.store.ts';

export interface Claim {
  readonly claims: ClaimedDelivery[];
  /** More endpoints have rows than were looked at: the next claim goes on after this one. */
  readonly nextAfterEndpointId: string | undefined;
  /** Rows became claimable by this very call: the next one finds them. */
  readonly woke: boolean;
}

/**
 * Claims due deliveries of endpoints that take them. On the way it puts rows that cannot go out for now out of the way of
 * later claims, and brings back those that can again.
 */
export async function claimDeliveries(db: AnyDatabase, input: ClaimInput): Promise<Claim> {
  const { claims, hinderedEndpointIds, hasWakeable, nextAfterEndpointId } = await claimDue(db, input);
  if (hinderedEndpointIds.length > 0) await parkDeliveries(db, hinderedEndpointIds);
  const woke = hasWakeable && (await wakeDeliveries(db)) > 0;
  return { claims, nextAfterEndpointId, woke };
}
