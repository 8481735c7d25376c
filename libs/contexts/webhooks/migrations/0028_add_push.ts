import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Notices to the browsers of individual people: a subscription is an endpoint that exists as long as the login with
 * which it was created, and gets only what its person may read at that moment.
 */
export const addPush: Migration = {
  async up(db) {
    await sql`
      alter table webhooks.endpoint
        drop constraint endpoint_channel_kind_check,
        add constraint endpoint_channel_kind_check
          check ((source in ('notice_channel', 'push_subscription')) = (channel_kind is not null)) not valid,
        drop constraint endpoint_source_check,
        add constraint endpoint_source_check check (
          source in (
            'account', 'approval_workflow', 'approval_chat', 'mail', 'listener', 'notice_channel', 'push_subscription'
          )
        ) not valid
    `.execute(db);
    await sql`
      create table webhooks.push_subscription (
        endpoint_id uuid primary key,
        account_id uuid not null,
        user_id uuid not null,
        login_id uuid not null
      )
    `.execute(db);
    await sql`create index push_subscription_user on webhooks.push_subscription (user_id, endpoint_id)`.execute(db);
    await sql`
      create table webhooks.push_key (
        id smallint primary key check (id = 1),
        public_key text not null,
        private_sealed bytea not null,
        created_at timestamptz(3) not null default now()
      )
    `.execute(db);
    await describeReader(db);
    await sql`grant select, insert, delete on webhooks.push_subscription to steward_api_gateway`.execute(db);
    await sql`grant select, delete on webhooks.push_subscription to steward_webhook_dispatcher`.execute(db);
    await sql`grant select, insert, update on webhooks.push_key to steward_api_gateway`.execute(db);
    await sql`grant select on webhooks.push_key to steward_webhook_dispatcher`.execute(db);
    await sql`grant update (deleted_at, updated_at, active) on webhooks.endpoint to steward_webhook_dispatcher`.execute(
      db,
    );
  },
};

/** The tables of logins belong to another context; the dispatcher can read their rows only through this function. */
async function describeReader(db: Parameters<Migration['up']>[0]): Promise<void> {
  await sql`
    create function webhooks.push_reader(subscription uuid) returns text[]
    language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
    begin
      -- Null: the login ended, or the person is gone.
      return (
        select r.permissions from webhooks.push_subscription s
        join gateway.login l on l.id = s.login_id and l.user_id = s.user_id
        join gateway.user_account u on u.id = l.user_id and u.account_id = s.account_id and u.is_active
        join gateway.role r on r.id = u.role_id
        where s.endpoint_id = subscription and l.expires_at > now() and l.ends_at > now()
      );
    end $$
  `.execute(db);
  await sql`revoke all on function webhooks.push_reader(uuid) from public`.execute(db);
  await sql`grant execute on function webhooks.push_reader(uuid) to steward_webhook_dispatcher, steward_api_gateway`.execute(
    db,
  );
}
