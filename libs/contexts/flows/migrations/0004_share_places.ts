import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The only way to claim a waiting execution: the claim gets the one whose turn it is, not a named one. Accounts with
 * the fewest running executions come first, accounts with equal numbers take turns, and within an account the oldest
 * goes first.
 *
 * It skips from account to account through the index of waiting executions, so its cost grows with the number of
 * waiting accounts and not with the backlog of one.
 */
export const sharePlaces: Migration = {
  async up(db) {
    // With one lock per account, two workers cannot both see its last free slot. The nested block releases the lock of
    // an account without a free slot: if the lock were kept, it could cause a deadlock with a claim that visits
    // accounts in another order.
    await sql`
      create function flows.claim_execution(
        worker text, lease uuid, lease_seconds integer, account_limit integer, worker_places integer,
        served_last uuid, avoided uuid[]
      ) returns setof flows.execution
      language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
      declare
        -- One place of a worker that has several is for the others, whatever the limit of an account is.
        worker_limit integer := greatest(worker_places - 1, 1);
        candidate uuid;
        claimed flows.execution;
      begin
        for candidate in
          with recursive waiting as (
            (select e.account_id from flows.execution e where e.status = 'PENDING' order by e.account_id limit 1)
            union all
            select later.account_id from waiting w cross join lateral (
              select e.account_id from flows.execution e
              where e.status = 'PENDING' and e.account_id > w.account_id order by e.account_id limit 1
            ) later
          )
          select w.account_id from waiting w cross join lateral (
            select count(*) as total, count(*) filter (where e.worker_id = worker) as here
            from flows.execution e where e.account_id = w.account_id and e.status in ('INITIALIZING', 'RUNNING')
          ) running
          where running.total < account_limit and running.here < worker_limit
          order by running.total, coalesce(w.account_id > served_last, true) desc, w.account_id
        loop
          begin
            perform pg_advisory_xact_lock(hashtextextended('flows.account ' || candidate, 0));
            update flows.execution set
              status = 'INITIALIZING', lease_token = lease, worker_id = worker, started_at = now(),
              lease_until = now() + make_interval(secs => least(lease_seconds, 3600))
            where id = (
              select e.id from flows.execution e
              where e.account_id = candidate and e.status = 'PENDING' and e.stop_requested_at is null
                and e.id <> all (avoided)
              order by e.created_at limit 1 for update skip locked
            ) and (
              select count(*) < account_limit and count(*) filter (where e.worker_id = worker) < worker_limit
              from flows.execution e where e.account_id = candidate and e.status in ('INITIALIZING', 'RUNNING')
            )
            returning * into claimed;
            if claimed.id is null then raise sqlstate 'FL000'; end if;
            return next claimed;
            return;
          exception when sqlstate 'FL000' then null;
          end;
        end loop;
      end $$
    `.execute(db);
    await sql`
      revoke all on function flows.claim_execution(text, uuid, integer, integer, integer, uuid, uuid[]) from public
    `.execute(db);
    await sql`
      grant execute on function flows.claim_execution(text, uuid, integer, integer, integer, uuid, uuid[])
      to steward_flow_trigger
    `.execute(db);
  },
};
