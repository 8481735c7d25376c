import { sql } from 'kysely';
import type { AnyTransaction } from '@steward/database';
import type { EndpointChange, LockedEndpoint } from '../rules/advance-breakers.ts';
import type { CircuitState } from '../../schema.ts';

/** Locks the endpoints in the order of their ids, and returns their breakers and the time of the database server. */
export async function lockEndpoints(
  trx: AnyTransaction,
  endpointIds: readonly string[],
): Promise<{ now: Date; endpoints: LockedEndpoint[] }> {
  const result = await sql<{
    id: string;
    account_id: string;
    url_version: number;
    circuit_state: CircuitState;
    circuit_open_until: Date | null;
    consecutive_failures: number;
    probe_token: string | null;
    now: Date;
  }>`
    select id, account_id, url_version, circuit_state, circuit_open_until, consecutive_failures, probe_token, clock_timestamp() as now
    from webhooks.endpoint where id = any (${endpointIds}::uuid[]) order by id for no key update
  `.execute(trx);
  return {
    now: result.rows[0]?.now ?? new Date(0),
    endpoints: result.rows.map((row) => ({
      id: row.id,
      accountId: row.account_id,
      urlVersion: row.url_version,
      breaker: {
        state: row.circuit_state,
        openUntil: row.circuit_open_until,
        consecutiveFailures: row.consecutive_failures,
        probeToken: row.probe_token,
      },
    })),
  };
}

/** Writes the breaker and the last outcome of each locked endpoint. */
export async function updateEndpoints(
  trx: AnyTransaction,
  changes: readonly EndpointChange[],
  now: Date,
): Promise<void> {
  const column = <T>(read: (change: EndpointChange) => T): T[] => changes.map(read);
  await sql`
    update webhooks.endpoint e set
      circuit_state = coalesce(u.state, e.circuit_state),
      circuit_open_until = case when u.state is null then e.circuit_open_until else u.open_until end,
      consecutive_failures = coalesce(u.failures, e.consecutive_failures),
      probe_token = case when u.state is null then e.probe_token else u.probe_token end,
      probe_until = case when u.state is null or u.state = 'half_open' then e.probe_until end,
      last_delivery_status = u.last_status, last_delivery_at = ${now}::timestamptz,
      last_response_status = u.last_response, last_error = u.last_error
    from unnest(
      ${column((c) => c.id)}::uuid[], ${column((c) => c.breaker?.state ?? null)}::text[],
      ${column((c) => c.breaker?.openUntil ?? null)}::timestamptz[],
      ${column((c) => c.breaker?.consecutiveFailures ?? null)}::int[],
      ${column((c) => c.breaker?.probeToken ?? null)}::uuid[], ${column((c) => c.last.verdict)}::text[],
      ${column((c) => c.last.attempt.responseStatus)}::int[], ${column((c) => c.last.attempt.error)}::text[]
    ) as u (id, state, open_until, failures, probe_token, last_status, last_response, last_error)
    where e.id = u.id
  `.execute(trx);
}
