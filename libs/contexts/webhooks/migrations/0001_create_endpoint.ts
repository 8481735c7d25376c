import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Endpoints, their secrets and the per-account counter of undelivered rows.
 *
 * `fillfactor` leaves space in every page, so that the frequent updates (breaker, last outcome, counter) stay in place
 * and touch no index.
 */
export const createEndpoint: Migration = {
  async up(db) {
    await sql`
      create table webhooks.endpoint (
        id uuid primary key,
        account_id uuid not null,
        source text not null default 'account' check (source in ('account', 'approval_workflow')),
        -- The approval workflow this endpoint belongs to; null for an endpoint of the account itself.
        source_id uuid,
        url text not null check (char_length(url) <= 2048),
        -- Counts changes that give the breaker a fresh start; an outcome of an older version does not touch the breaker.
        url_version integer not null default 1,
        description text not null default '',
        event_types text[] not null default '{}',
        active boolean not null default true,
        circuit_state text not null default 'closed' check (circuit_state in ('closed', 'open', 'half_open')),
        circuit_open_until timestamptz(3),
        consecutive_failures integer not null default 0,
        -- The one delivery let through while half open. A probe whose worker died is given out again after probe_until.
        probe_token uuid,
        probe_until timestamptz(3),
        refusal_reason text check (refusal_reason in ('outbox_full')),
        refused_at timestamptz(3),
        last_delivery_status text check (last_delivery_status in ('delivered', 'failed', 'dead')),
        last_delivery_at timestamptz(3),
        last_response_status integer,
        last_error text,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        deleted_at timestamptz(3),
        check ((source = 'account') = (source_id is null)),
        check (circuit_state <> 'open' or circuit_open_until is not null)
      ) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02)
    `.execute(db);
    await sql`
      create index endpoint_account on webhooks.endpoint (account_id, id) where deleted_at is null
    `.execute(db);
    // Breakers that are not closed: the few rows that the probe claim reads.
    await sql`
      create index endpoint_circuit on webhooks.endpoint (circuit_open_until) where circuit_state <> 'closed'
    `.execute(db);
    await sql`
      create unique index endpoint_source on webhooks.endpoint (account_id, source, source_id)
      where deleted_at is null and source_id is not null
    `.execute(db);

    await sql`
      create table webhooks.endpoint_secret (
        id uuid primary key,
        account_id uuid not null,
        endpoint_id uuid not null references webhooks.endpoint (id) on delete cascade,
        -- Sealed with the endpoint's id as context: a ciphertext moved to another endpoint does not open.
        ciphertext bytea not null,
        hint text not null,
        active_from timestamptz(3) not null default now(),
        -- Null for the current secret; the end of the overlap for one that was rotated out.
        expires_at timestamptz(3)
      )
    `.execute(db);
    await sql`
      create unique index endpoint_secret_current on webhooks.endpoint_secret (endpoint_id) where expires_at is null
    `.execute(db);
    await sql`create index endpoint_secret_endpoint on webhooks.endpoint_secret (endpoint_id, active_from)`.execute(db);

    await sql`
      create table webhooks.outbox_counter (
        account_id uuid primary key,
        pending integer not null default 0 check (pending >= 0),
        -- When an event was refused last; null again once there is room. Tells the worker that endpoints carry a stamp to clear.
        refused_at timestamptz(3),
        -- Events refused since the account exists.
        refused_count bigint not null default 0
      ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 50)
    `.execute(db);
  },
};
