import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { APP_ROLES } from '@steward/database';

/**
 * Rows that cannot be sent for a while are not in the index that a claim reads, so that the cost of a claim depends on
 * the rows that it can claim and not on the waiting ones (ADR 0027). Each row is in exactly one of three indexes.
 */
export const parkDeliveries: Migration = {
  async up(db) {
    await sql`
      alter table webhooks.delivery
        -- Null: a claim looks at it. Otherwise what it waits for: its next attempt's time, or its endpoint.
        add column waits_for text check (waits_for in ('time', 'endpoint'))
    `.execute(db);
    await sql`
      alter table webhooks.endpoint
        -- Set while rows wait for this endpoint: it may get a probe, and they are woken when it takes deliveries again.
        add column waiting_since timestamptz(3)
    `.execute(db);
    // The first claims find and park rows that wait for an endpoint.
    await sql`update webhooks.delivery set waits_for = 'time' where next_attempt_at > now()`.execute(db);
    await sql`drop index webhooks.delivery_due`.execute(db);
    await sql`
      create index delivery_due on webhooks.delivery (endpoint_id, next_attempt_at) where waits_for is null
    `.execute(db);
    await sql`
      create index delivery_parked on webhooks.delivery (endpoint_id, next_attempt_at) where waits_for = 'endpoint'
    `.execute(db);
    await sql`
      create index delivery_later on webhooks.delivery (next_attempt_at) where waits_for = 'time'
    `.execute(db);
    await sql`drop index webhooks.endpoint_circuit`.execute(db);
    await sql`
      create index endpoint_probe on webhooks.endpoint (circuit_open_until)
      where circuit_state <> 'closed' and active and deleted_at is null and waiting_since is not null
    `.execute(db);
    await sql`
      create index endpoint_reopened on webhooks.endpoint (waiting_since)
      where circuit_state = 'closed' and active and deleted_at is null and waiting_since is not null
    `.execute(db);
    await sql`grant update (waiting_since) on webhooks.endpoint to ${sql.raw(APP_ROLES.webhookDispatcher)}`.execute(db);
  },
};
