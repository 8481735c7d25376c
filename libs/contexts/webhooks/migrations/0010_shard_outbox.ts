import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { APP_ROLES } from '@steward/database';

const { apiGateway, flowTrigger, webhookDispatcher } = APP_ROLES;

/**
 * The count of undelivered rows of an account in eight rows instead of one, so that producers and the dispatcher do not
 * wait for each other (ADR 0012). The existing count goes to the first one.
 */
export const shardOutbox: Migration = {
  async up(db) {
    await sql`
      create table webhooks.outbox_shard (
        account_id uuid not null,
        shard smallint not null check (shard between 0 and 7),
        -- Signed: what was added here may be taken away elsewhere. The sum over the shards is the number of rows.
        pending integer not null default 0,
        -- How far a producer may raise it without looking at the other shards. The quotas add up to the bound.
        quota integer not null default 0,
        -- The bound they were dealt by; 0: not dealt yet, or an event was refused.
        bound integer not null default 0 check (bound >= 0),
        primary key (account_id, shard)
      ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 50)
    `.execute(db);
    await sql`
      insert into webhooks.outbox_shard (account_id, shard, pending)
      select account_id, shard, case shard when 0 then pending else 0 end
      from webhooks.outbox_counter cross join generate_series(0, 7) shard
    `.execute(db);
    await sql`alter table webhooks.outbox_counter drop column pending`.execute(db);

    await createPick(db);

    const all = sql.raw([apiGateway, flowTrigger, webhookDispatcher].join(', '));
    await sql`grant select, update on webhooks.outbox_shard to ${all}`.execute(db);
    await sql`grant insert on webhooks.outbox_shard to ${sql.raw(apiGateway)}`.execute(db);
    const producers = sql.raw([apiGateway, flowTrigger].join(', '));
    await sql`grant execute on function webhooks.pick_shard(uuid, integer, integer, boolean) to ${producers}`.execute(
      db,
    );
  },
};

/**
 * Locks a shard with space for `wanted` rows and returns it: preferably one that this transaction has already locked,
 * otherwise an unlocked one. With `may_wait`, it waits for any shard, unless the transaction already holds one. Returns
 * null, with nothing locked, if there is none.
 *
 * It is a function because it needs an exception block: a locked row without space stays locked until its
 * subtransaction ends. If the lock were kept, it could cause a deadlock with code that locks all shards.
 */
async function createPick(db: Parameters<Migration['up']>[0]): Promise<void> {
  await sql`
    create function webhooks.pick_shard(account uuid, wanted integer, most integer, may_wait boolean) returns smallint
    language plpgsql as $$
    declare
      me xid := pg_current_xact_id_if_assigned()::xid;
      candidate smallint;
      picked smallint;
    begin
      if may_wait then
        if exists (select from webhooks.outbox_shard s where s.account_id = account and s.xmin = me) then
          return null;
        end if;
        -- Chosen first: a statement that waits for one and finds it full would go on to the next with the first in hand.
        select s.shard into candidate from webhooks.outbox_shard s
        where s.account_id = account and s.bound = most and s.pending + wanted <= s.quota
        order by random() limit 1;
        select s.shard into picked from webhooks.outbox_shard s
        where s.account_id = account and s.shard = candidate and s.bound = most and s.pending + wanted <= s.quota
        for no key update;
      else
        select s.shard into picked from webhooks.outbox_shard s
        where s.account_id = account and s.bound = most and s.pending + wanted <= s.quota
        order by coalesce(s.xmin = me, false) desc, random() limit 1 for no key update skip locked;
      end if;
      if picked is null then raise sqlstate 'SH000'; end if;
      return picked;
    exception when sqlstate 'SH000' then return null;
    end
    $$
  `.execute(db);
  await sql`revoke all on function webhooks.pick_shard(uuid, integer, integer, boolean) from public`.execute(db);
}
