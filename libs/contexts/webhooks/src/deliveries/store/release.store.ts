import { sql } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import type { ClaimedDelivery } from './claimed-rows.store.ts';

/**
 * Releases claims without an outcome: this is not counted as an attempt. `delaySeconds` delays the rows after errors in
 * Steward that would otherwise recur immediately. A released probe can be claimed by another worker. Returns the number
 * of claims that were still held.
 */
export async function releaseClaims(
  db: AnyDatabase,
  claims: readonly Pick<ClaimedDelivery, 'id' | 'claimToken'>[],
  delaySeconds = 0,
): Promise<number> {
  const putOff = sql`clock_timestamp() + make_interval(secs => ${delaySeconds})`;
  const result = await sql<{ released: number }>`
    with given_back as (
      update webhooks.delivery d
      set claim_token = null, claim_until = null, next_attempt_at = greatest(d.next_attempt_at, ${putOff}),
        waits_for = case when ${delaySeconds} > 0 then 'time' else d.waits_for end
      from unnest(${claims.map((claim) => claim.id)}::uuid[], ${claims.map((claim) => claim.claimToken)}::uuid[]) c (id, token)
      where d.id = c.id and d.claim_token = c.token
      returning d.endpoint_id, c.token
    ), probe_freed as (
      update webhooks.endpoint e set probe_token = null, probe_until = null
      from given_back g where e.id = g.endpoint_id and e.probe_token = g.token
    )
    select count(*)::int as released from given_back
  `.execute(db);
  return result.rows[0]?.released ?? 0;
}
