import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { changeFunction } from '@steward/database';

/**
 * Secrets for webhook signatures, sealed, and never shown to workers; and the requests for flows that name their
 * source: the last hundred of each, including ignored ones.
 */
export const readSources: Migration = {
  async up(db) {
    await sql`alter table flows.flow add column webhook_signing_sealed bytea`.execute(db);
    await changeFunction(db, 'flows.leased_flow(uuid, uuid)', [
      ['"webhook_secret_hint": null', '"webhook_secret_hint": null, "webhook_signing_sealed": null'],
    ]);
    await sql`
      create table flows.arrival (
        id uuid primary key,
        account_id uuid not null,
        flow_id uuid not null,
        received_at timestamptz(3) not null,
        outcome text not null check (outcome in ('accepted', 'deduplicated', 'ignored')),
        reason text,
        -- As a run is told it: name, event, action, delivery_id, headers.
        source json not null,
        -- Null of one that is too large to be kept.
        payload json,
        execution_id uuid,
        -- The arrival that was sent again.
        resent_from uuid
      )
    `.execute(db);
    await sql`create index arrival_of_flow on flows.arrival (flow_id, id)`.execute(db);
    await sql`grant select, insert, delete on flows.arrival to steward_api_gateway`.execute(db);
  },
};
