import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Notes the change of a row that moves to another account for both accounts (ACC-54): what has been read of it is known
 * under the former one.
 */
export const noteFormerAccount: Migration = {
  async up(db) {
    await sql`
      create or replace function gateway.note_caller_change() returns trigger
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
  },
};
