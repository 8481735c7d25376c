import { sql } from 'kysely';
import type { SealedAddress } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { COUNTED_IN } from '../../outbox/store/shard.store.ts';

export interface EndpointChange {
  readonly address?: SealedAddress | undefined;
  readonly description?: string | undefined;
  readonly group?: string | null | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly active?: boolean | undefined;
  readonly keepsAnswers?: boolean | undefined;
  /** True if the change resets the breaker. */
  readonly isFresh: boolean;
}

/**
 * Locks the endpoint until the end of the transaction. This is a separate statement, so that the following statement
 * sees the current endpoint.
 */
export async function lockEndpoint(trx: AnyTransaction, accountId: string, id: string): Promise<void> {
  await sql`
    select from webhooks.endpoint where account_id = ${accountId} and id = ${id} and deleted_at is null for no key update
  `.execute(trx);
}

/**
 * Applies a change. The caller must hold the lock of `lockEndpoint`. A reset closes the breaker immediately and
 * increments `url_version`, so that outcomes of attempts in flight do not affect the breaker.
 */
export async function updateEndpoint(
  trx: AnyTransaction,
  accountId: string,
  id: string,
  change: EndpointChange,
): Promise<void> {
  const { address } = change;
  const isMoved = sql`${address !== undefined}::boolean`;
  const isFresh = sql`${change.isFresh}::boolean`;
  const own = sql`account_id = ${accountId} and id = ${id} and deleted_at is null`;
  await sql`
    with before as (
      select id, account_id, circuit_state from webhooks.endpoint where ${own} and circuit_state <> 'closed' and ${isFresh}
    ), noted as (
      insert into webhooks.breaker_move (
        endpoint_id, account_id, moved_at, from_state, to_state, reason, consecutive_failures
      )
      select id, account_id, clock_timestamp(), circuit_state, 'closed', 'endpoint_changed', 0 from before
    )
    update webhooks.endpoint set
      url = case when ${isMoved} then null else url end,
      url_sealed = coalesce(${address?.sealed ?? null}::bytea, url_sealed),
      origin = coalesce(${address?.origin ?? null}::text, origin),
      description = coalesce(${change.description ?? null}::text, description),
      group_name = case when ${change.group !== undefined}::boolean then ${change.group ?? null}::text else group_name end,
      event_types = coalesce(${change.eventTypes ?? null}::text[], event_types),
      active = coalesce(${change.active ?? null}::boolean, active),
      keeps_answers = coalesce(${change.keepsAnswers ?? null}::boolean, keeps_answers),
      url_version = case when ${isFresh} then url_version + 1 else url_version end,
      circuit_state = case when ${isFresh} then 'closed' else circuit_state end,
      circuit_open_until = case when ${isFresh} then null else circuit_open_until end,
      consecutive_failures = case when ${isFresh} then 0 else consecutive_failures end,
      probe_token = case when ${isFresh} then null else probe_token end,
      probe_until = case when ${isFresh} then null else probe_until end,
      updated_at = now()
    where ${own}
  `.execute(trx);
}

/**
 * Marks the endpoint as deleted and cancels pending deliveries. The caller must hold the lock of `lockAccount`. Returns
 * the number of cancelled deliveries.
 */
export async function deleteEndpoint(trx: AnyTransaction, accountId: string, id: string): Promise<number> {
  await sql`
    update webhooks.endpoint set deleted_at = now(), updated_at = now(), active = false
    where account_id = ${accountId} and id = ${id} and deleted_at is null
  `.execute(trx);
  const result = await sql<{ cancelled: number }>`
    with cancelled as (
      delete from webhooks.delivery where endpoint_id = ${id} and account_id = ${accountId} returning *
    ), archived as (
      insert into webhooks.delivery_done (
        id, account_id, endpoint_id, event_id, event_type, generation, status, attempt_count, response_status,
        last_error, occurred_at, created_at, finished_at, traceparent
      )
      select id, account_id, endpoint_id, event_id, event_type, generation, 'cancelled', attempt_count, response_status,
        last_error, occurred_at, created_at, clock_timestamp(), traceparent
      from cancelled
    ), counted as (
      update webhooks.outbox_shard set pending = pending - (select count(*)::int from cancelled)
      where account_id = ${accountId} and shard = ${COUNTED_IN.cancellations} and exists (select from cancelled)
    )
    select count(*)::int as cancelled from cancelled
  `.execute(trx);
  return result.rows[0]?.cancelled ?? 0;
}
