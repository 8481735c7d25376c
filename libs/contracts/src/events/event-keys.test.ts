import { MESSAGES, type MessageName } from '../messages/catalogue.ts';
import { EVENT_TYPES, type EventType } from './event-types.ts';

/**
 * Keys of version 1: receivers and running processes rely on each of them. A new key has to be added to its list;
 * removing or renaming a key requires a version 2 with a separate list (EVT-2).
 */
const EVENT_KEYS: Readonly<Record<EventType, string>> = {
  'approval.created':
    'approval_request_id status tool_name summary approval_workflow_id execution_id managed_agent_id managed_agent_name ' +
    'runtime_session_id requested_at expires_at review_url rule rule.source rule.rule_id rule.rule_name rule.expression',
  'approval.decided':
    'approval_request_id status tool_name summary approval_workflow_id execution_id managed_agent_id managed_agent_name ' +
    'runtime_session_id requested_at expires_at review_url rule rule.source rule.rule_id rule.rule_name rule.expression ' +
    'decision resolved_at actor actor.kind actor.id actor.model actor.confidence actor.reason comment',
  'policy.denied':
    'tool_name decision rule_description condition_matched execution_id user_id correlation_id policy_version',
  'session.ended':
    'runtime_session_id reason session_source_type session_source_id runtime_principal_type runtime_principal_id ' +
    'runtime_principal_name started_at ended_at duration_seconds',
  'budget.threshold': 'scope scope_id period currency limit_amount spent_amount percent_used threshold_percent',
  'budget.exceeded': 'scope scope_id period currency limit_amount spent_amount percent_used threshold_percent',
  'flow.execution.finished':
    'execution_id flow_id flow_name status failure_category trigger_type started_at finished_at evidence_receipt ' +
    'evidence_receipt.status evidence_receipt.transport evidence_receipt.artifact_id evidence_receipt.sha256 ' +
    'evidence_receipt.manifest_sha256 evidence_receipt.size_bytes evidence_receipt.retention_hours evidence_receipt.object_lock ' +
    'evidence_receipt.legal_hold evidence_receipt.integrity_verified',
  'agent.note_sent':
    'note_id managed_agent_id runtime_session_id text author author.user_id author.display author.auth_method created_at expires_at',
  'agent.note_delivered':
    'note_id managed_agent_id runtime_session_id text author author.user_id author.display author.auth_method created_at expires_at ' +
    'delivered_at delivery_channel turn_index',
  'cra.reportable_vulnerability':
    'execution_id flow_id flow_name cve actively_exploited exploited_evidence affected vex_status discovered_at deadlines ' +
    'deadlines.early_warning_24h deadlines.notification_72h deadlines.final_report_14d status assessment kev_snapshot_date ' +
    'kev_source_url not_a_legal_determination filing_is_manufacturer_responsibility',
  'agent.discovered':
    'candidate_id agent_kind agent_version workstation_fingerprint config_path_hash mcp_server_count enrolled os_family status first_seen_at',
  'agent.onboarded':
    'agent_id agent_name agent_kind source_type outcome enrollment_id owner_user_id actor_user_id gateway_routed mcp_rewritten mcp_server_count',
  'webhook.test': 'message endpoint_id requested_by_user_id',
};
const MESSAGE_KEYS: Readonly<Record<MessageName, string>> = {
  'chunk-written': 'account_id runtime_session_id source_kind source_id content_hash chunk_count traceparent',
  'event-emitted': 'account_id event_id event_type generation delivery_count traceparent',
  'trigger-accepted': 'account_id flow_id execution_id traceparent',
};

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
}

/** Returns the paths of all keys that a schema names. */
function listKeys(schema: object, path = ''): string[] {
  const { properties = {}, anyOf = [] } = schema as Schema;
  const own = Object.entries(properties).flatMap(([name, inner]) => [
    path + name,
    ...listKeys(inner, `${path}${name}.`),
  ]);
  return [...own, ...anyOf.flatMap((branch) => listKeys(branch, path))];
}

describe('version 1 of events and messages (EVT-2, EVT-9)', () => {
  it.each(Object.entries(EVENT_KEYS))('%s has exactly its published keys', (type, keys) => {
    expect(listKeys(EVENT_TYPES[type as EventType].schema)).toEqual(keys.split(' '));
  });

  it.each(Object.entries(MESSAGE_KEYS))('%s has exactly the keys that running processes send', (name, keys) => {
    const { schema, version, subject } = MESSAGES[name as MessageName];
    expect(listKeys(schema)).toEqual(keys.split(' '));
    expect([version, subject.endsWith('.v1')]).toEqual([1, true]);
  });

  it('includes every event type and message', () => {
    expect(Object.keys(EVENT_TYPES)).toEqual(Object.keys(EVENT_KEYS));
    expect(Object.keys(MESSAGES).sort()).toEqual(Object.keys(MESSAGE_KEYS).sort());
  });
});
