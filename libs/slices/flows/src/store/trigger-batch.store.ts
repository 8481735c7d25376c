import type { StatementPool } from '@steward/database';
import { buildAuditInsert } from '@steward/slice-gateway';
import { IDEMPOTENCY_HOURS } from '../rules/idempotency.ts';
import type { ExecutionStatus } from '../rules/execution-status.ts';

/** One trigger of an inbound webhook without files, for a flow without a `dedupe_path`. */
export interface BatchTrigger {
  readonly executionId: string;
  readonly auditId: string;
  readonly flowId: string;
  /** For the hint; the rows take it from the flow. */
  readonly accountId: string;
  /** Of the secret that was presented: it has to be the flow's when the row is written, too. */
  readonly secretHash: Buffer;
  /** `trigger_event_details` as JSON text. */
  readonly details: string;
  readonly idempotency?: { readonly keyDigest: Buffer; readonly bodyDigest: Buffer } | undefined;
  readonly requestId: string;
  readonly now: Date;
}

/** `flow_changed`: gone, locked, disabled, no webhook, another secret, or one that needs more than this statement does. */
export type BatchRowState = 'accepted' | 'key_held' | 'flow_changed';

/**
 * The rules are those of `acceptTrigger` and `claimIdempotencyKey`, which do the same for one trigger. A flow that is locked
 * (being deleted, or by an operator) is skipped: the others must not wait for it. Keys are claimed in one order in every
 * process, so two batches wait for each other at most one way.
 */
const INSERT_BATCH = `/* prepared */
  with item as materialized (
    select * from unnest($1::uuid[], $2::uuid[], $3::bytea[], string_to_array($4, chr(30)), $5::timestamptz[], $6::bytea[], $7::bytea[],
      $8::uuid[], $9::text[])
      as i (id, flow_id, secret_hash, details, created_at, key_digest, body_digest, audit_id, request_id)
  ), held as materialized (
    select id, account_id, name, webhook_secret_hash from flows.flow
    where id = any($2::uuid[]) and is_enabled and trigger = 'webhook' and coalesce(webhook_config->>'dedupe_path', '') = ''
    for key share skip locked
  ), ready as materialized (
    select i.*, h.account_id, h.name as flow_name
    from item i join held h on h.id = i.flow_id and h.webhook_secret_hash = i.secret_hash
  ), claimed as (
    insert into flows.idempotency_key as known (flow_id, key_digest, account_id, body_digest, execution_id, created_at)
    select flow_id, key_digest, account_id, body_digest, id, created_at from ready
    where key_digest is not null order by flow_id, key_digest
    on conflict (flow_id, key_digest) do update
      set body_digest = excluded.body_digest, execution_id = excluded.execution_id, created_at = excluded.created_at
      where known.created_at < excluded.created_at - interval '${IDEMPOTENCY_HOURS} hours'
    returning execution_id
  ), accepted as materialized (
    select * from ready where key_digest is null or id in (select execution_id from claimed)
  ), inserted as (
    insert into flows.execution (id, account_id, flow_id, flow_name, status, trigger_type, trigger_event_details, created_at)
    select id, account_id, flow_id, flow_name, 'PENDING', 'webhook', details::json, created_at from accepted
  ), audited as (${buildAuditInsert(`
    select audit_id, account_id, created_at, 'anonymous', null, 'webhook', 'trigger', 'flow', flow_id::text, 'success',
      json_build_object('execution_id', id, 'workspace_files', 0), request_id
    from accepted`)}
  )
  select i.id, case when a.id is not null then 'accepted' when r.id is not null then 'key_held' else 'flow_changed' end
    as state
  from item i left join ready r on r.id = i.id left join accepted a on a.id = i.id`;

/**
 * Arrays of ids and times are written here: the driver quotes and escapes each value of an array, and the server undoes it. Texts of
 * details are joined by a character that JSON text cannot hold (it has to be escaped inside strings): escaping them cost as
 * much as parsing them.
 *
 * Inserts the executions with keys and audit rows and commits. A key may occur once for each secret among the triggers. */
export async function insertTriggerBatch(
  pool: StatementPool,
  triggers: readonly BatchTrigger[],
): Promise<ReadonlyMap<string, BatchRowState>> {
  const values = (read: (trigger: BatchTrigger) => string) => `{${triggers.map(read).join()}}`;
  const column = <T>(read: (trigger: BatchTrigger) => T): T[] => triggers.map(read);
  const { rows } = await pool.query<{ id: string; state: BatchRowState }>(INSERT_BATCH, [
    values((t) => t.executionId),
    values((t) => t.flowId),
    column((t) => t.secretHash),
    triggers.map((t) => t.details).join('\u001e'),
    values((t) => t.now.toISOString()),
    column((t) => t.idempotency?.keyDigest ?? null),
    column((t) => t.idempotency?.bodyDigest ?? null),
    values((t) => t.auditId),
    column((t) => t.requestId),
  ]);
  return new Map(rows.map(({ id, state }) => [id, state]));
}

export interface HeldKey {
  readonly flow_id: string;
  readonly key_digest: Buffer;
  readonly body_digest: Buffer;
  readonly execution_id: string;
  readonly status: ExecutionStatus;
}

/** What the given keys stand for by now. */
export async function findHeldKeys(
  pool: StatementPool,
  keys: readonly { readonly flowId: string; readonly keyDigest: Buffer }[],
): Promise<HeldKey[]> {
  const { rows } = await pool.query<HeldKey>(
    `/* prepared */
      select k.flow_id, k.key_digest, k.body_digest, k.execution_id, e.status
      from unnest($1::uuid[], $2::bytea[]) as wanted (flow_id, key_digest)
      join flows.idempotency_key k on k.flow_id = wanted.flow_id and k.key_digest = wanted.key_digest
      join flows.execution e on e.id = k.execution_id`,
    [keys.map((key) => key.flowId), keys.map((key) => key.keyDigest)],
  );
  return rows;
}
