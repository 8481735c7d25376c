import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The hot table: pending and in flight only; finished rows move to `delivery_done`. Narrow, without the body.
 *
 * A claim changes only claim_token and claim_until. No index mentions them, so a claim is a heap-only update: no index
 * entry is written for it, and the pages' free space (fillfactor) takes the new version. Dead tuples are what makes a
 * queue in Postgres slow (2 ms to 300 ms per claim at 400,000 of them), hence the eager autovacuum.
 */
export const createDelivery: Migration = {
  async up(db) {
    // UUID v7 made by the server: milliseconds since 1970, then random bits.
    await sql`
      create function webhooks.new_id() returns uuid language sql volatile parallel safe as $$
        select encode(
          set_bit(set_bit(
            overlay(
              uuid_send(gen_random_uuid())
              placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
              from 1 for 6
            ), 52, 1), 53, 1),
          'hex')::uuid
      $$
    `.execute(db);
    await sql`
      create table webhooks.delivery (
        id uuid primary key default webhooks.new_id(),
        account_id uuid not null,
        endpoint_id uuid not null,
        event_id uuid not null,
        event_type text not null,
        generation integer not null default 1 check (generation >= 1),
        -- Attempts made. Raised with the outcome, so a crash in between repeats the same attempt number.
        attempt_count smallint not null default 0 check (attempt_count >= 0),
        next_attempt_at timestamptz(3) not null default now(),
        -- The fence: an outcome is written only by the worker whose token is still here.
        claim_token uuid,
        claim_until timestamptz(3),
        response_status integer,
        last_error text,
        occurred_at timestamptz(3) not null,
        created_at timestamptz(3) not null default now(),
        check ((claim_token is null) = (claim_until is null))
      ) with (
        fillfactor = 70,
        autovacuum_vacuum_scale_factor = 0.01,
        autovacuum_vacuum_threshold = 200,
        autovacuum_vacuum_cost_delay = 0,
        autovacuum_analyze_scale_factor = 0.05
      )
    `.execute(db);
    // The claim: due rows of one endpoint, oldest first; its leading column also finds the endpoints that have any.
    await sql`create index delivery_due on webhooks.delivery (endpoint_id, next_attempt_at)`.execute(db);
    // One delivery per event, endpoint and generation; also the lookup by event.
    await sql`
      create unique index delivery_event on webhooks.delivery (account_id, event_id, endpoint_id, generation)
    `.execute(db);
    await sql`create index delivery_account on webhooks.delivery (account_id, id)`.execute(db);
  },
};
