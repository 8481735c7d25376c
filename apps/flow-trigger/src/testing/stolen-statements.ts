/** Values that the attacker may know besides the connection: every id of the victim. */
export interface Known {
  readonly victim: string;
  readonly flow: string;
  readonly execution: string;
  readonly session: string;
  readonly endpoint: string;
  readonly event: string;
}

/** Tables with rows of the victim, and the columns that an attacker with partial grants would select. */
export const TABLES = [
  ['flows.flow', 'account_id, prompt_template'],
  ['flows.flow', 'account_id, agent_config'],
  ['flows.execution', 'account_id'],
  ['flows.execution', 'lease_token as account_id'],
  ['flows.execution_workspace_file', 'account_id'],
  ['flows.idempotency_key', 'account_id'],
  ['flows.secret', 'account_id'],
  ['gateway.runtime_session', 'account_id'],
  ['gateway.session_content', 'account_id'],
  ['gateway.session_content', 'account_id, content'],
  ['gateway.unindexed_content', 'account_id'],
  ['gateway.execution_token', 'account_id'],
  ['search.chunk', 'account_id'],
  ['search.chunk', 'account_id, content'],
  ['webhooks.endpoint', 'account_id'],
  ['webhooks.endpoint', 'account_id, url'],
  ['webhooks.endpoint', 'account_id, url_sealed'],
  ['webhooks.endpoint', 'account_id, origin'],
  ['webhooks.event', 'account_id'],
  ['webhooks.event', 'account_id, body'],
  ['webhooks.delivery', 'account_id'],
  ['webhooks.outbox_shard', 'account_id'],
  ['webhooks.outbox_counter', 'account_id'],
] as const;

/** Changes to the victim's rows that the attacker tries, each as one statement. */
export const WRITES: readonly (readonly [string, (known: Known) => string])[] = [
  [
    'starts an execution of its flow',
    ({ victim, flow }) =>
      `insert into flows.execution (id, account_id, flow_id, flow_name, status, trigger_type, trigger_event_details)
       values (gen_random_uuid(), '${victim}', '${flow}', 'x', 'PENDING', 'manual', '{}')`,
  ],
  [
    'changes its execution',
    ({ execution }) => `update flows.execution set result = '{"forged":1}' where id = '${execution}'`,
  ],
  [
    'takes a running execution over',
    ({ execution }) => `update flows.execution set lease_token = gen_random_uuid() where id = '${execution}'`,
  ],
  ['takes a living lease for a lost one', () => `select * from flows.lease_lost(gen_random_uuid())`],
  [
    'ends its execution',
    ({ execution }) =>
      `select * from flows.finish_execution('${execution}', gen_random_uuid(), 'FAILED', null, 'x', null, null, now())`,
  ],
  ['ends it with no token', ({ execution }) => `select * from flows.lock_leased('${execution}', null)`],
  [
    'keeps its execution going',
    ({ execution }) => `select flows.extend_lease('${execution}', gen_random_uuid(), 3600)`,
  ],
  [
    'reads its flow by the execution',
    ({ execution }) => `select * from flows.leased_flow('${execution}', gen_random_uuid())`,
  ],
  [
    'reads its secrets',
    ({ execution }) => `select * from flows.leased_secrets('${execution}', gen_random_uuid(), '{deploy-key}')`,
  ],
  ['reads its files', ({ execution }) => `select * from flows.leased_files('${execution}', gen_random_uuid())`],
  [
    'makes a credential for its agent',
    ({ execution }) =>
      `select 1 where gateway.issue_execution_token(gen_random_uuid(), '${execution}', gen_random_uuid(), '\\x00') is not null`,
  ],
  [
    'writes a credential',
    ({ victim, flow, execution, session }) =>
      `insert into gateway.execution_token (id, account_id, execution_id, runtime_session_id, flow_id, flow_name, token_hash, expires_at)
       values (gen_random_uuid(), '${victim}', '${execution}', '${session}', '${flow}', 'x', '\\x00', now() + interval '1 day')`,
  ],
  [
    'opens a session',
    ({ victim }) =>
      `insert into gateway.runtime_session (account_id, id, session_source_type, session_source_id, started_at, last_activity_at,
         last_seen_at, created_at, updated_at)
       values ('${victim}', gen_random_uuid(), 'x', 'x', now(), now(), now(), now(), now())`,
  ],
  ['changes its session', ({ session }) => `update gateway.runtime_session set title = 'x' where id = '${session}'`],
  [
    'writes into its session',
    ({ victim, session }) =>
      `insert into gateway.session_content (account_id, id, runtime_session_id, kind, occurred_at, content_captured,
         content_size_bytes, created_at)
       values ('${victim}', gen_random_uuid(), '${session}', 'flow_log', now(), false, 0, now())`,
  ],
  [
    'puts words into its search',
    ({ victim, session }) =>
      `insert into search.chunk (account_id, id, runtime_session_id, source_kind, source_id, chunk_index, chunk_count,
         occurred_at, indexed_at, content, content_hash, redaction_state, start_offset, end_offset, tail_omitted)
       values ('${victim}', gen_random_uuid(), '${session}', 'flow_log', 'x', 0, 1, now(), now(), 'forged', '\\x00', 'clear', 0, 6, false)`,
  ],
  ['takes its words out of search', ({ victim }) => `delete from search.chunk where account_id = '${victim}'`],
  [
    'emits an event',
    ({ victim }) =>
      `insert into webhooks.event (account_id, id, type, occurred_at, body)
       values ('${victim}', gen_random_uuid(), 'flow.execution.finished', now(), '{}')`,
  ],
  [
    'has an event delivered',
    ({ victim, endpoint, event }) =>
      `insert into webhooks.delivery (account_id, endpoint_id, event_id, event_type, occurred_at, generation)
       values ('${victim}', '${endpoint}', '${event}', 'flow.execution.finished', now(), 7)`,
  ],
  [
    'has an event listened to',
    ({ victim, endpoint, event }) =>
      `insert into webhooks.listener_event (listener_id, account_id, event_id) values ('${endpoint}', '${victim}', '${event}')`,
  ],
  [
    'marks its endpoint',
    ({ victim }) => `update webhooks.endpoint set refusal_reason = 'outbox_full' where account_id = '${victim}'`,
  ],
  [
    'fills its outbox',
    ({ victim }) => `update webhooks.outbox_shard set pending = 1000000 where account_id = '${victim}'`,
  ],
  [
    'counts refusals',
    ({ victim }) => `update webhooks.outbox_counter set refused_count = 9 where account_id = '${victim}'`,
  ],
  [
    'writes into its audit log',
    ({ victim }) =>
      `insert into gateway.audit_log (id, account_id, occurred_at, actor_kind, source, action, resource_type, status, details)
       values (gen_random_uuid(), '${victim}', now(), 'system', 'system', 'x', 'x', 'success', '{}')`,
  ],
  ['forgets a key of a trigger', ({ victim }) => `delete from flows.idempotency_key where account_id = '${victim}'`],
  [
    'notes a gap in its corpus',
    ({ victim }) => `update gateway.unindexed_content set last_stored_at = now() where account_id = '${victim}'`,
  ],
];
