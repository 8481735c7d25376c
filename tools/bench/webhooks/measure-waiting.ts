import type pg from 'pg';
import { measureGrowing, type RoundTimes } from './claim-rounds.ts';

export interface WaitingResult extends RoundTimes {
  readonly waitingEndpoints: number;
  /**
   * Number of claims until no more waiting rows were found; this happens once per change of the waiting rows, not per
   * claim.
   */
  readonly settlingClaims: number;
}

/**
 * Measures the milliseconds of one claim of 50 deliveries with growing numbers of endpoints that have a waiting
 * delivery: a third of the endpoints have an open circuit breaker, a third are disabled, and a third wait for their
 * next attempt.
 */
export function measureWaiting(sizes: readonly number[], say: (line: string) => void): Promise<WaitingResult[]> {
  let waiting = 0;
  return measureGrowing(sizes, async (bench, size) => {
    await addWaiting(bench.admin, size - waiting);
    waiting = size;
    let settlingClaims = 1;
    // Nothing is due yet, so these claims find only waiting rows, and the loop ends when there are none left.
    while ((await bench.claim()).nextAfterEndpointId !== undefined) settlingClaims += 1;
    const times = await bench.measure();
    say(`claim beside ${size} waiting endpoints measured`);
    // Otherwise the next claim would take the due rows that the measurement has left over.
    await bench.admin.query('delete from webhooks.delivery where account_id = $1', [bench.accountId]);
    return { waitingEndpoints: size, settlingClaims, ...times };
  });
}

async function addWaiting(admin: pg.Pool, count: number): Promise<void> {
  await admin.query(
    `with added as (
       insert into webhooks.endpoint (id, account_id, url, active, circuit_state, circuit_open_until)
       select webhooks.new_id(), gen_random_uuid(), 'http://127.0.0.1:9/', n % 3 <> 1,
         case n % 3 when 0 then 'open' else 'closed' end, case n % 3 when 0 then now() + interval '1 day' end
       from generate_series(1, $1::int) n
       returning id, account_id, active and circuit_state = 'closed' as is_retrying
     )
     insert into webhooks.delivery (
       account_id, endpoint_id, event_id, event_type, occurred_at, attempt_count, next_attempt_at, waits_for
     )
     select account_id, id, gen_random_uuid(), 'session.ended', now(), is_retrying::int,
       case when is_retrying then now() + interval '1 day' else now() end, case when is_retrying then 'time' end
     from added`,
    [count],
  );
}
