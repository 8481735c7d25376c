import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Lets a gateway process use again what it has read about callers (ACC-54). Changes of such data are rows, written by
 * triggers in the transaction of each change; leases say which changes each process has applied. Rows are only
 * inserted, so that changes of one account do not wait for each other.
 */
export const leaseCallers: Migration = {
  async up(db) {
    await sql`
      create table gateway.caller_change (
        -- The transaction of the change: snapshots say which changes a process has applied.
        xid xid8 not null default pg_current_xact_id(),
        -- All zeros: the change concerns every account.
        account_id uuid not null,
        primary key (xid, account_id)
      )
    `.execute(db);
    await sql`
      create table gateway.caller_lease (
        id uuid primary key,
        -- The process has applied every change that is visible in this snapshot.
        acked pg_snapshot not null,
        renewals bigint not null default 0,
        lease_ms integer not null
      ) with (fillfactor = 50)
    `.execute(db);
    await sql`grant select, delete on gateway.caller_change to steward_api_gateway`.execute(db);
    await sql`grant select, insert, update, delete on gateway.caller_lease to steward_api_gateway`.execute(db);
    // The change of a row that moves to another account is noted for both: what has been read of it is known under the
    // former one.
    await sql`
      create function gateway.note_caller_change() returns trigger
      language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
      begin
        if tg_op <> 'INSERT' then
          insert into gateway.caller_change (account_id)
          values (coalesce((to_jsonb(old) ->> 'account_id')::uuid, '00000000-0000-0000-0000-000000000000'))
          on conflict do nothing;
        end if;
        if tg_op <> 'DELETE' then
          insert into gateway.caller_change (account_id)
          values (coalesce((to_jsonb(new) ->> 'account_id')::uuid, '00000000-0000-0000-0000-000000000000'))
          on conflict do nothing;
        end if;
        perform pg_notify('steward_callers', '');
        return null;
      end $$
    `.execute(db);
    await sql`revoke all on function gateway.note_caller_change() from public`.execute(db);
    await watchColumns(db, 'api_key', [
      ...['account_id', 'user_id', 'name', 'key_hash', 'scopes', 'ancestor_ids', 'runtime_principal_type'],
      ...['runtime_principal_id', 'runtime_principal_name', 'is_suspended', 'model_limits', 'expires_at', 'revoked_at'],
    ]);
    await watchColumns(db, 'user_account', ['account_id', 'username', 'role_id', 'is_active']);
    await watchColumns(db, 'role', ['account_id', 'name', 'permissions']);
    await sql`
      create trigger kill_switch_caller_change after insert or update or delete on gateway.kill_switch
      for each row execute function gateway.note_caller_change()
    `.execute(db);
    // A note that is delivered or withdrawn is not a change: a process that has read of waiting notes reads again.
    await sql`
      create trigger operator_note_caller_change after insert on gateway.operator_note
      for each row execute function gateway.note_caller_change()
    `.execute(db);
    await sql`
      create trigger operator_note_caller_update after update on gateway.operator_note for each row
      when (
        (new.delivered_at is null and new.cancelled_at is null)
        and ((old.delivered_at, old.cancelled_at, old.expires_at, old.account_id)
          is distinct from (new.delivered_at, new.cancelled_at, new.expires_at, new.account_id))
      )
      execute function gateway.note_caller_change()
    `.execute(db);
  },
};

/** New rows are not changes: only callers that were found are used again. */
async function watchColumns(
  db: Parameters<Migration['up']>[0],
  table: string,
  columns: readonly string[],
): Promise<void> {
  const before = columns.map((column) => `old.${column}`).join(', ');
  const after = columns.map((column) => `new.${column}`).join(', ');
  await sql
    .raw(
      `create trigger ${table}_caller_update after update on gateway.${table} for each row
       when ((${before}) is distinct from (${after})) execute function gateway.note_caller_change()`,
    )
    .execute(db);
  await sql
    .raw(
      `create trigger ${table}_caller_delete after delete on gateway.${table}
       for each row execute function gateway.note_caller_change()`,
    )
    .execute(db);
}
