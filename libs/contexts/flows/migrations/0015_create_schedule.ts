import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The only clock of schedules: due times are compared with nothing else, so clocks of workers may differ. */
const CLOCK = `
  create function flows.schedule_clock() returns timestamptz
  language sql stable set search_path = pg_catalog, pg_temp as $$ select now() $$`;

const TABLES = [
  `alter table flows.flow drop constraint flow_trigger_check`,
  `alter table flows.flow add constraint flow_trigger_check
     check (trigger in ('manual', 'webhook', 'tracker', 'schedule')) not valid`,
  `alter table flows.execution drop constraint execution_trigger_type_check`,
  `alter table flows.execution add constraint execution_trigger_type_check
     check (trigger_type in ('manual', 'webhook', 'tracker', 'schedule')) not valid`,
  `alter table flows.flow add column schedule_config json`,
  `create table flows.schedule (
     flow_id uuid primary key,
     account_id uuid not null,
     -- Changes with whatever due times are reckoned from: who read an earlier one writes nothing.
     revision integer not null,
     -- Intervals count from here.
     anchor_at timestamptz(3) not null,
     paused_at timestamptz(3),
     -- Null: paused, disabled or over. The start is the due time and its jitter.
     next_due_at timestamptz(3),
     next_start_at timestamptz(3),
     -- A due time that waits for the run before it.
     queued_due_at timestamptz(3),
     constraint schedule_next_check check ((next_due_at is null) = (next_start_at is null))
   ) with (fillfactor = 70)`,
  `create index schedule_next_idx on flows.schedule (next_start_at) where next_start_at is not null`,
  `create index schedule_queued_idx on flows.schedule (flow_id) where queued_due_at is not null`,
  `create index schedule_account_idx on flows.schedule (account_id, flow_id)`,
  // A row claims a due time: there is only one, regardless of the number of schedulers.
  `create table flows.due_time (
     flow_id uuid not null,
     due_at timestamptz(3) not null,
     account_id uuid not null,
     outcome text not null constraint due_time_outcome_check check (outcome in ('started', 'queued', 'skipped', 'missed')),
     reason text,
     execution_id uuid,
     decided_at timestamptz(3) not null,
     primary key (flow_id, due_at)
   )`,
  `grant select, insert, update, delete on flows.schedule to steward_api_gateway`,
  `grant select, update, delete on flows.due_time to steward_api_gateway`,
] as const;

/**
 * Used only by the functions below. No header contains a line break, so no client has a trigger with the key of a due
 * time.
 */
const INSERT_DUE_EXECUTION = `
  create function flows.insert_due_execution(f flows.flow, due timestamptz, late_seconds integer, due_local text, execution uuid,
    audit uuid, trace text) returns boolean
  language plpgsql set search_path = pg_catalog, pg_temp as $$
  declare
    said text := to_char(due at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
    key bytea := sha256(convert_to(E'schedule\\n' || to_char(due at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'UTF8'));
  begin
    insert into flows.idempotency_key (flow_id, key_digest, account_id, body_digest, execution_id, created_at)
      values (f.id, key, f.account_id, key, execution, now())
      on conflict (flow_id, key_digest) do nothing;
    if not found then return false; end if;
    insert into flows.execution (id, account_id, flow_id, flow_name, status, trigger_type, trigger_event_details, created_at,
        traceparent, reporting)
      values (execution, f.account_id, f.id, f.name, 'PENDING', 'schedule', json_build_object(
        'source', 'schedule', 'type', 'schedule',
        'received_at', to_char(flows.schedule_clock() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'payload', json_build_object('due_at', said, 'due_local', due_local,
          'time_zone', coalesce(f.schedule_config->>'time_zone', 'UTC'), 'late_by_seconds', late_seconds, 'run_now', false)
      ), now(), trace, f.reporting);
    insert into gateway.audit_log (id, account_id, occurred_at, actor_kind, actor_id, source, action, resource_type, resource_id,
        status, details, request_id)
      values (audit, f.account_id, now(), 'system', null, 'system', 'trigger', 'flow', f.id::text, 'success',
        json_build_object('execution_id', execution, 'due_at', said), null);
    return true;
  end $$`;

const RUNNING = `e.flow_id = f.id and e.trigger_type = 'schedule' and e.status in ('PENDING', 'INITIALIZING', 'RUNNING')`;

/** Actions of a worker on schedules; its role has no grant on a table of this schema. */
const FUNCTIONS = [
  // Due schedules, page by page ordered by flow, so that one that cannot be decided does not block others.
  `create function flows.due_schedules(after uuid, most integer) returns table (flow_id uuid, revision integer, config json,
     anchor_at timestamptz, next_due_at timestamptz, is_due boolean, queued_due_at timestamptz, clock timestamptz)
   language sql stable security definer set search_path = pg_catalog, pg_temp as $$
     select s.flow_id, s.revision, f.schedule_config, s.anchor_at, s.next_due_at, coalesce(s.next_start_at <= c.clock, false),
       case when not e.exists and not gateway.is_halted(s.account_id) then s.queued_due_at end, c.clock
     from (select flows.schedule_clock() as clock) c
     cross join lateral (
       select w.flow_id from flows.schedule w where w.next_start_at <= c.clock
       union select w.flow_id from flows.schedule w where w.queued_due_at is not null
     ) found
     join flows.schedule s on s.flow_id = found.flow_id
     join flows.flow f on f.id = s.flow_id
     cross join lateral (select exists (select from flows.execution e where ${RUNNING})) e
     where s.flow_id > after and (s.next_start_at <= c.clock or (not e.exists and not gateway.is_halted(s.account_id)))
     order by s.flow_id limit least(most, 1000)
   $$`,
  // Writes, in one transaction, the row that claims the due time, the execution, and the next due time. Returns no row
  // if another process has done so.
  `create function flows.start_due(flow uuid, known integer, known_due timestamptz, due timestamptz, due_start timestamptz,
     due_local text, missed timestamptz[], following timestamptz, following_start timestamptz, execution uuid, audit uuid, trace text)
     returns table (outcome text, reason text, account_id uuid)
   language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
   #variable_conflict use_column
   declare
     clock timestamptz := flows.schedule_clock();
     f flows.flow;
     s flows.schedule;
     decided text := 'missed';
     because text := 'late';
     runs boolean;
   begin
     select * into f from flows.flow w where w.id = flow for key share skip locked;
     if not found then return; end if;
     select * into s from flows.schedule w
       where w.flow_id = flow and w.revision = known and w.next_due_at = known_due and w.next_start_at <= clock
       for no key update skip locked;
     if not found then return; end if;
     if due_start > clock or due_start < due or due < known_due or cardinality(missed) > 100
       or following < coalesce(due, missed[cardinality(missed)]) + interval '1 minute' or following_start < following then
       raise exception 'these are no due times of the schedule' using errcode = '22023';
     end if;
     update flows.schedule w set next_due_at = following, next_start_at = following_start where w.flow_id = flow;
     insert into flows.due_time as known_time (flow_id, due_at, account_id, outcome, reason, decided_at)
       select flow, m, f.account_id, 'missed', 'no_worker', clock from unnest(missed) m
       on conflict on constraint due_time_pkey do nothing;
     if due is not null then
       select exists (select from flows.execution e where ${RUNNING}) into runs;
       decided := 'started';
       because := null;
       -- A process from before schedules turns a flow off and leaves its schedule as it is.
       if not f.is_enabled or f.trigger = 'manual' then
         decided := 'skipped';
         because := 'disabled';
       elsif gateway.is_halted(f.account_id) then
         decided := 'skipped';
         because := 'agents_stopped';
       elsif (runs or s.queued_due_at is not null) and f.schedule_config->>'overlap' = 'queue' then
         decided := case when s.queued_due_at is null then 'queued' else 'skipped' end;
         because := case when s.queued_due_at is null then 'still_running' else 'one_is_queued' end;
       elsif runs and coalesce(f.schedule_config->>'overlap', 'skip') = 'skip' then
         decided := 'skipped';
         because := 'still_running';
       end if;
       insert into flows.due_time as known_time (flow_id, due_at, account_id, outcome, reason, execution_id, decided_at)
         values (flow, due, f.account_id, decided, because, case when decided = 'started' then execution end, clock)
         on conflict on constraint due_time_pkey do nothing;
       if not found then return; end if;
       if decided = 'queued' then
         update flows.schedule w set queued_due_at = due where w.flow_id = flow;
       elsif decided = 'started' then
         if runs then
           -- One that waits is handed, as one of a lost worker, to whoever ends it with its event; one that runs is asked to stop.
           update flows.execution e set status = 'INITIALIZING', lease_token = gen_random_uuid(), lease_until = now() - interval '1 second',
               stop_requested_at = coalesce(e.stop_requested_at, now()), error_message = 'replaced by the run of a later due time'
             where ${RUNNING} and e.status = 'PENDING';
           update flows.execution e set stop_requested_at = now(), error_message = 'replaced by the run of a later due time'
             where ${RUNNING} and e.status in ('INITIALIZING', 'RUNNING') and e.stop_requested_at is null;
         end if;
         if not flows.insert_due_execution(f, due, floor(extract(epoch from clock - due_start))::integer, due_local, execution, audit,
             trace) then
           raise exception 'the due time has an execution already' using errcode = '23505';
         end if;
       end if;
     end if;
     delete from flows.due_time d where d.flow_id = flow and d.outcome <> 'queued' and d.due_at < (
       select kept.due_at from flows.due_time kept where kept.flow_id = flow order by kept.due_at desc offset 99 limit 1);
     return query select decided, because, f.account_id;
   end $$`,
  // Starts the due time that waited for the previous run.
  `create function flows.start_queued(flow uuid, known integer, queued timestamptz, due_local text, execution uuid, audit uuid,
     trace text) returns table (outcome text, reason text, account_id uuid)
   language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
   #variable_conflict use_column
   declare
     clock timestamptz := flows.schedule_clock();
     f flows.flow;
   begin
     select * into f from flows.flow w where w.id = flow for key share skip locked;
     if not found or not f.is_enabled or gateway.is_halted(f.account_id) then return; end if;
     perform from flows.schedule w where w.flow_id = flow and w.revision = known and w.queued_due_at = queued
       for no key update skip locked;
     if not found or exists (select from flows.execution e where ${RUNNING}) then return; end if;
     update flows.schedule w set queued_due_at = null where w.flow_id = flow;
     update flows.due_time d set outcome = 'started', execution_id = execution, decided_at = clock
       where d.flow_id = flow and d.due_at = queued and d.outcome = 'queued';
     if not found then return; end if;
     if not flows.insert_due_execution(f, queued, floor(extract(epoch from clock - queued))::integer, due_local, execution, audit, trace)
       then raise exception 'the due time has an execution already' using errcode = '23505';
     end if;
     return query select 'started'::text, 'still_running'::text, f.account_id;
   end $$`,
] as const;

const OPEN_TO = {
  steward_flow_trigger: [
    'flows.schedule_clock()',
    'flows.due_schedules(uuid, integer)',
    `flows.start_due(uuid, integer, timestamptz, timestamptz, timestamptz, text, timestamptz[], timestamptz, timestamptz, uuid, uuid, text)`,
    'flows.start_queued(uuid, integer, timestamptz, text, uuid, uuid, text)',
  ],
  steward_api_gateway: ['flows.schedule_clock()'],
} as const;

const INTERNAL = 'flows.insert_due_execution(flows.flow, timestamptz, integer, text, uuid, uuid, text)';

/**
 * Starts flows at due times. A worker computes the due times, but the database decides: it compares them with its own
 * clock, and writes the claim of the due time, the execution and the next due time together.
 */
export const createSchedule: Migration = {
  async up(db) {
    for (const statement of [...TABLES, CLOCK, INSERT_DUE_EXECUTION, ...FUNCTIONS])
      await sql.raw(statement).execute(db);
    await grantFunctions(db);
  },
};

async function grantFunctions(db: Kysely<unknown>): Promise<void> {
  for (const name of new Set([INTERNAL, ...Object.values(OPEN_TO).flat()]))
    await sql.raw(`revoke all on function ${name} from public`).execute(db);
  for (const [role, names] of Object.entries(OPEN_TO))
    for (const name of names) await sql.raw(`grant execute on function ${name} to ${role}`).execute(db);
}
