import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const OWN = `account_id = (select l.account_id from gateway.leased() l)`;

/**
 * Listeners read the events of their account as a stream. A listener is an endpoint, so that a producer finds it with the other receivers; its
 * events are rows of their own, since nothing is claimed, retried or counted.
 */
export const createListener: Migration = {
  async up(db) {
    await sql`
      alter table webhooks.endpoint
        drop constraint endpoint_source_check,
        add constraint endpoint_source_check
          check (source in ('account', 'approval_workflow', 'approval_chat', 'mail', 'listener')) not valid
    `.execute(db);
    await sql`
      create table webhooks.listener (
        endpoint_id uuid primary key,
        account_id uuid not null,
        -- Last time that a stream was open.
        seen_at timestamptz(3) not null default now(),
        -- Newest transaction whose events are not kept any more.
        dropped_xid xid8 not null default '0'
      )
    `.execute(db);
    await sql`create index listener_account on webhooks.listener (account_id, endpoint_id)`.execute(db);
    await sql`
      create table webhooks.listener_event (
        listener_id uuid not null,
        account_id uuid not null,
        event_id uuid not null,
        -- The transaction of the event: snapshots say which of them a reader has seen.
        xid xid8 not null default pg_current_xact_id(),
        created_at timestamptz(3) not null default now(),
        primary key (listener_id, xid, event_id)
      )
    `.execute(db);
    await confine(db);
    await sql`grant select, insert, update, delete on webhooks.listener to steward_api_gateway`.execute(db);
    await sql`grant select, insert on webhooks.listener_event to steward_api_gateway`.execute(db);
    await sql`grant insert on webhooks.listener_event to steward_flow_trigger`.execute(db);
    await sql`grant select, delete on webhooks.listener_event to steward_webhook_dispatcher`.execute(db);
    await sql`grant select, update, delete on webhooks.listener to steward_webhook_dispatcher`.execute(db);
  },
};

/** A flow worker writes rows of the account whose execution it has leased. */
async function confine(db: Parameters<Migration['up']>[0]): Promise<void> {
  await sql`alter table webhooks.listener_event enable row level security`.execute(db);
  await sql`create policy granted on webhooks.listener_event using (true)`.execute(db);
  await sql`
    create policy leased on webhooks.listener_event as restrictive to steward_flow_trigger
    using (${sql.raw(OWN)})
    with check (${sql.raw(OWN)} and exists (
      select from webhooks.endpoint e where e.id = listener_id and e.account_id = listener_event.account_id
    ))
  `.execute(db);
}
