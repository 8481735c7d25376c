import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Removes old entries of the audit log, whole seals from the oldest on (ACC-52). Only this function can: it leaves the
 * newest seal, and every seal with an entry of the last 30 days, whatever time of sealing the service wrote. It refuses
 * a missing cutoff, and removes only entries of the account.
 */
export const pruneAudits: Migration = {
  async up(db) {
    await sql`
      create table gateway.audit_pruned (
        account_id uuid primary key,
        number bigint not null constraint audit_pruned_number_check check (number > 0),
        digest bytea not null constraint audit_pruned_digest_check check (octet_length(digest) = 32),
        entries bigint not null,
        pruned_at timestamptz(3) not null
      )
    `.execute(db);
    await sql`
      create function gateway.prune_audits(account uuid, cutoff timestamptz, most integer)
      returns table (seals bigint, entries bigint, number bigint, digest bytea)
      language plpgsql security definer set search_path = pg_catalog as $$
      #variable_conflict use_column
      declare
        last_days constant timestamptz := now() - interval '30 days';
        removed record;
      begin
        if account is null or cutoff is null or most is null or cutoff > last_days then
          raise exception 'the last 30 days of the audit log stay' using errcode = 'check_violation';
        end if;
        if not pg_try_advisory_xact_lock(hashtextextended('gateway.audit_pruned ' || account, 0)) then
          return;
        end if;
        with oldest as materialized (
          select s.number, s.sealed_at >= cutoff or exists (
            select from gateway.audit_log l where l.id = any(s.audit_ids) and l.occurred_at >= last_days
          ) as stays
          from gateway.audit_seal s where s.account_id = account order by s.number limit most
        ), kept as (
          select least(
            min(o.number) filter (where o.stays),
            (select max(s.number) from gateway.audit_seal s where s.account_id = account)
          ) as number from oldest o
        ), gone as (
          delete from gateway.audit_seal s using oldest o, kept k
          where s.account_id = account and s.number = o.number and o.number < k.number
          returning s.number, s.digest, s.audit_ids
        ), ids as (
          select unnest(g.audit_ids) as id from gone g
        ), entries as (
          delete from gateway.audit_log l using ids i where l.id = i.id and l.account_id = account returning l.id
        ), reads as (
          delete from gateway.audit_read_count c using entries e where c.audit_id = e.id
        )
        select count(*) as seals, (select count(*) from entries) as entries, max(g.number) as number,
          (array_agg(g.digest order by g.number desc))[1] as digest
        into removed from gone g;
        if removed.seals = 0 then
          return;
        end if;
        insert into gateway.audit_pruned as own (account_id, number, digest, entries, pruned_at)
        values (account, removed.number, removed.digest, removed.entries, now())
        on conflict (account_id) do update set number = excluded.number, digest = excluded.digest,
          entries = own.entries + excluded.entries, pruned_at = excluded.pruned_at;
        return query select removed.seals, removed.entries, removed.number, removed.digest;
      end $$
    `.execute(db);
    await sql`revoke all on function gateway.prune_audits(uuid, timestamptz, integer) from public`.execute(db);
    await sql`grant execute on function gateway.prune_audits(uuid, timestamptz, integer) to steward_api_gateway`.execute(
      db,
    );
    await sql`grant select on gateway.audit_pruned to steward_api_gateway`.execute(db);
  },
};
