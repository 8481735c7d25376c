import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { APP_ROLES } from '@steward/database';

const { apiGateway, flowTrigger, webhookDispatcher } = APP_ROLES;

/** Grants each role exactly what it needs: producers emit, the gateway manages and reads, the dispatcher delivers. */
export const grantRoles: Migration = {
  async up(db) {
    const all = sql.raw([apiGateway, flowTrigger, webhookDispatcher].join(', '));
    await sql`grant usage on schema webhooks to ${all}`.execute(db);
    await sql`grant select on webhooks.schema_migration to ${all}`.execute(db);

    // Producers: match endpoints, store the event with its deliveries, update the counter, record a refusal.
    const producers = sql.raw([apiGateway, flowTrigger].join(', '));
    await sql`grant select on webhooks.endpoint, webhooks.outbox_counter to ${producers}`.execute(db);
    await sql`grant update (refusal_reason, refused_at) on webhooks.endpoint to ${producers}`.execute(db);
    await sql`grant update on webhooks.outbox_counter to ${producers}`.execute(db);
    await sql`grant insert on webhooks.event, webhooks.delivery to ${producers}`.execute(db);
    await sql`grant select (account_id, id) on webhooks.event to ${producers}`.execute(db);
    await sql`grant select (id, account_id, event_id, endpoint_id, generation) on webhooks.delivery to ${producers}`.execute(
      db,
    );

    // The gateway: endpoint routes, delivery lists, replay, cancelling on deletion.
    const gateway = sql.raw(apiGateway);
    await sql`grant insert, update on webhooks.endpoint to ${gateway}`.execute(db);
    await sql`grant select, insert, update, delete on webhooks.endpoint_secret to ${gateway}`.execute(db);
    await sql`grant insert on webhooks.outbox_counter to ${gateway}`.execute(db);
    await sql`grant select on webhooks.event to ${gateway}`.execute(db);
    await sql`grant update (generation) on webhooks.event to ${gateway}`.execute(db);
    await sql`grant select, delete on webhooks.delivery to ${gateway}`.execute(db);
    await sql`grant select, insert on webhooks.delivery_done to ${gateway}`.execute(db);
    await sql`grant select on webhooks.attempt to ${gateway}`.execute(db);

    // The dispatcher: claims, outcomes, breaker, retention.
    const dispatcher = sql.raw(webhookDispatcher);
    await sql`grant select on webhooks.endpoint, webhooks.endpoint_secret, webhooks.event to ${dispatcher}`.execute(db);
    await sql`
      grant update (
        circuit_state, circuit_open_until, consecutive_failures, probe_token, probe_until, refusal_reason, refused_at,
        last_delivery_status, last_delivery_at, last_response_status, last_error
      ) on webhooks.endpoint to ${dispatcher}
    `.execute(db);
    await sql`grant delete on webhooks.event, webhooks.endpoint, webhooks.endpoint_secret to ${dispatcher}`.execute(db);
    await sql`grant select, update on webhooks.outbox_counter to ${dispatcher}`.execute(db);
    await sql`grant select, update, delete on webhooks.delivery to ${dispatcher}`.execute(db);
    await sql`grant select, insert on webhooks.delivery_done, webhooks.attempt to ${dispatcher}`.execute(db);
    await sql`grant execute on function webhooks.maintain_partitions(integer, integer) to ${dispatcher}`.execute(db);
  },
};
