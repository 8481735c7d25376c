import { CompiledQuery } from 'kysely';
import { drawHop } from '@steward/telemetry';
import { executePrepared, type AnyDatabase } from '@steward/database';
import { buildAuditInsert } from '@steward/audit';
import { IDEMPOTENCY_HOURS } from '../rules/idempotency.ts';
import type { Trigger } from '../trigger.ts';

/** A trigger with the ids and the time of its rows. */
export interface TriggerRow {
  readonly trigger: Trigger;
  readonly executionId: string;
  readonly auditId: string;
  readonly now: Date;
}

/** Name and kind of the span of an execution: its run, its events and its log lines are children of this span. */
export const EXECUTION_HOP = { name: 'create execution', kind: 'producer' } as const;

/**
 * State of a row after the insertion. `key_held`: the key of the trigger already has an execution. `value_held`: an
 * active execution has the same dedupe value.
 */
export type TriggerRowState = 'accepted' | 'key_held' | 'value_held';

/**
 * Statement that enforces all rules of acceptance that depend on stored data, for every kind of trigger. A locked flow
 * (being deleted, or locked by an operator) is skipped, since the other triggers must not wait for it. Keys are claimed
 * in the same order in every process, so that two statements cannot deadlock. A key that the same execution has already
 * claimed still belongs to it, so the insertion may be repeated.
 */
const INSERT_TRIGGERS = `
  with item as (
    select * from unnest($1::uuid[], $2::uuid[], $3::bytea[], string_to_array($4, chr(30)), $5::timestamptz[], $6::bytea[], $7::bytea[],
      $8::uuid[], $9::text[], $10::text[], $11::text[], $12::text[], $13::uuid[], $14::text[], $15::text[], $16::text[], $17::int[],
      $18::text[])
      as i (id, flow_id, secret_hash, details, created_at, key_digest, body_digest, audit_id, request_id, trigger_type,
        dedupe_path, dedupe_value, retry_of, actor_kind, actor_id, source, files, traceparent)
  ), held as materialized (
    select id, account_id, name, trigger, webhook_secret_hash, coalesce(webhook_config->>'dedupe_path', '') as dedupe_path,
      reporting
    from flows.flow where id = any($2::uuid[]) and is_enabled
    for key share skip locked
  ), ready as materialized (
    select i.*, h.account_id, h.name as flow_name, h.reporting
    from item i join held h on h.id = i.flow_id and h.dedupe_path = coalesce(i.dedupe_path, h.dedupe_path)
      and (i.secret_hash is null or (h.webhook_secret_hash = i.secret_hash and h.trigger in ('webhook', 'tracker')))
  ), claimed as (
    insert into flows.idempotency_key as known (flow_id, key_digest, account_id, body_digest, execution_id, created_at)
    select flow_id, key_digest, account_id, body_digest, id, created_at from ready
    where key_digest is not null order by flow_id, key_digest
    on conflict (flow_id, key_digest) do update
      set body_digest = excluded.body_digest, execution_id = excluded.execution_id, created_at = excluded.created_at
      where known.created_at < excluded.created_at - interval '${IDEMPOTENCY_HOURS} hours'
        or known.execution_id = excluded.execution_id
    returning execution_id
  ), accepted as (
    insert into flows.execution (id, account_id, flow_id, flow_name, status, trigger_type, trigger_event_details, dedupe_value,
      retry_of_execution_id, created_at, traceparent, reporting)
    select id, account_id, flow_id, flow_name, 'PENDING', trigger_type, details::json, dedupe_value, retry_of, created_at,
      traceparent, reporting
    from ready where key_digest is null or id in (select execution_id from claimed)
    on conflict do nothing
    returning id
  ), audited as (${buildAuditInsert(`
    select audit_id, account_id, created_at, actor_kind, actor_id, source, 'trigger', 'flow', flow_id::text, 'success',
      json_build_object('execution_id', id, 'workspace_files', files), request_id
    from ready join accepted using (id) where actor_kind is not null`)}
  )
  select r.id, case when a.id is not null then 'accepted' when r.key_digest is null or c.execution_id is not null then 'value_held'
      else 'key_held' end as state
  from ready r left join accepted a on a.id = r.id left join claimed c on c.execution_id = r.id`;

/**
 * Inserts the executions with their keys and audit rows. Among the triggers, a key may occur only once per secret, and
 * a dedupe value only once. A trigger missing from the result no longer matches the flow for which it was built: the
 * flow is deleted, locked or disabled, or has another secret, no webhook or another `dedupe_path`.
 *
 * Arrays of ids, times and constants are formatted here, because the driver would quote and escape each array value,
 * and the server would have to undo that. The strings with the details are joined by a character that JSON cannot
 * contain unescaped, because escaping the strings took as long as parsing them.
 */
export async function insertTriggers(
  db: AnyDatabase,
  rows: readonly TriggerRow[],
): Promise<ReadonlyMap<string, TriggerRowState>> {
  const plain = (read: (row: TriggerRow) => string | number | null | undefined) =>
    `{${rows.map((row) => read(row) ?? 'null').join()}}`;
  const column = <T>(read: (trigger: Trigger) => T): T[] => rows.map(({ trigger }) => read(trigger));
  const values = [
    plain((row) => row.executionId),
    plain((row) => row.trigger.flowId),
    column((t) => t.secretHash),
    column((t) => t.details).join('\u001e'),
    plain((row) => row.now.toISOString()),
    column((t) => t.idempotency?.keyDigest ?? null),
    column((t) => t.idempotency?.bodyDigest ?? null),
    plain((row) => row.auditId),
    column((t) => t.audit?.requestId ?? null),
    plain((row) => row.trigger.type),
    column((t) => t.dedupePath),
    column((t) => t.dedupeValue),
    plain((row) => row.trigger.retryOfExecutionId),
    plain((row) => row.trigger.audit?.actor.kind),
    column((t) => t.audit?.actor.id ?? null),
    plain((row) => row.trigger.audit?.source),
    plain((row) => row.trigger.files.length),
    plain((row) => drawHop(row.trigger.traceparent, EXECUTION_HOP)),
  ];
  const statement = CompiledQuery.raw(INSERT_TRIGGERS, values) as CompiledQuery<{ id: string; state: TriggerRowState }>;
  const inserted = await executePrepared(db, 'flows.insert-triggers', statement);
  return new Map(inserted.rows.map(({ id, state }) => [id, state]));
}
