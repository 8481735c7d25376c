import type { AnyDatabase } from '@steward/database';
import type { Kysely } from 'kysely';
import type { WebhooksDatabase } from '../schema.ts';
import * as store from '../store/claim.store.ts';

/** Claims due deliveries of active endpoints with a closed breaker; see the store for the rules. */
export function claimDeliveries(db: AnyDatabase, input: store.ClaimInput): Promise<store.ClaimedDelivery[]> {
  return store.claimDue(db as Kysely<WebhooksDatabase>, input);
}

/** Claims the single delivery that may test each endpoint whose breaker has cooled down. */
export function claimProbes(
  db: AnyDatabase,
  input: Pick<store.ClaimInput, 'token' | 'leaseSeconds' | 'limit'>,
): Promise<store.ClaimedDelivery[]> {
  return store.claimProbes(db as Kysely<WebhooksDatabase>, input);
}

/** Gives claims back; no attempt is burnt. Returns how many were still held. */
export function releaseClaims(
  db: AnyDatabase,
  claims: readonly Pick<store.ClaimedDelivery, 'id' | 'claimToken'>[],
  delaySeconds = 0,
): Promise<number> {
  return store.releaseClaims(db as Kysely<WebhooksDatabase>, claims, delaySeconds);
}
