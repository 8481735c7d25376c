import type { AnyDatabase } from '@steward/database';
import { claimDue, type ClaimInput } from '../store/claim.store.ts';
import type { ClaimedDelivery } from '../store/claimed-rows.store.ts';
import { parkDeliveries, wakeDeliveries } from '../store/parking.store.ts';

export interface Claim {
  readonly claims: ClaimedDelivery[];
  /**
   * Id of the endpoint after which the next claim continues, if not all endpoints with rows were checked; undefined
   * otherwise.
   */
  readonly nextAfterEndpointId: string | undefined;
  /** True if this call has made rows claimable; the next call can claim these rows. */
  readonly woke: boolean;
}

/**
 * Claims due deliveries of endpoints that accept them. It also parks rows that cannot be sent for now, and unparks
 * those that can be sent again.
 */
export async function claimDeliveries(db: AnyDatabase, input: ClaimInput): Promise<Claim> {
  const { claims, hinderedEndpointIds, hasWakeable, nextAfterEndpointId } = await claimDue(db, input);
  if (hinderedEndpointIds.length > 0) await parkDeliveries(db, hinderedEndpointIds);
  const woke = hasWakeable && (await wakeDeliveries(db)) > 0;
  return { claims, nextAfterEndpointId, woke };
}
