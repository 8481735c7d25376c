/*
 * The v1 events as TypeScript types. They are written by hand, because this package may have no dependencies; the test
 * next to them compares the types with the schemas that the service uses for validation. `data` may gain keys within
 * version 1; removing or renaming a key requires version 2 with separate types.
 */

/** Time in UTC, in the format of ISO 8601. */
type Timestamp = string;

interface ApprovalRequest {
  approval_request_id: string;
  status: 'pending' | 'approved' | 'declined' | 'expired' | 'cancelled';
  tool_name: string;
  summary: string | null;
  approval_workflow_id: string | null;
  execution_id: string | null;
  managed_agent_id: string | null;
  managed_agent_name: string | null;
  runtime_session_id: string | null;
  requested_at: Timestamp;
  expires_at: Timestamp | null;
  review_url: string | null;
  rule: {
    source: string;
    rule_id: string | null;
    rule_name: string | null;
    expression: string | null;
  } | null;
}

interface ApprovalDecided extends ApprovalRequest {
  decision: 'approved' | 'declined' | 'expired' | 'cancelled';
  resolved_at: Timestamp;
  actor: {
    kind: 'user' | 'ai' | 'bypass' | 'system';
    id: string | null;
    model?: string;
    confidence?: number;
    reason?: string;
  };
  comment: string | null;
}

interface PolicyDenied {
  tool_name: string;
  decision: 'deny';
  rule_description: string;
  condition_matched: string | null;
  execution_id: string | null;
  user_id: string | null;
  correlation_id: string | null;
  policy_version: number;
}

interface SessionEnded {
  runtime_session_id: string;
  reason: 'execution_finished' | 'idle' | 'operator';
  session_source_type: string;
  session_source_id: string;
  runtime_principal_type: string | null;
  runtime_principal_id: string | null;
  runtime_principal_name: string | null;
  started_at: Timestamp;
  ended_at: Timestamp;
  duration_seconds: number;
}

interface Budget {
  scope: 'account' | 'flow' | 'api_key' | 'managed_agent';
  scope_id: string | null;
  period: string;
  currency: string;
  limit_amount: number;
  spent_amount: number;
  percent_used: number;
  threshold_percent: number;
}

interface FlowExecutionFinished {
  execution_id: string;
  flow_id: string;
  flow_name: string;
  status: 'SUCCEEDED' | 'FAILED' | 'STOPPED';
  failure_category: string | null;
  trigger_type: 'manual' | 'webhook' | 'tracker' | 'schedule';
  started_at: Timestamp | null;
  finished_at: Timestamp;
  /** Receipt of the evidence; present only if the execution captured evidence. */
  evidence_receipt?: {
    status: 'available' | 'missing' | 'expired' | 'failed';
    transport: string;
    artifact_id: string;
    sha256: string;
    manifest_sha256: string;
    size_bytes: number;
    retention_hours: number;
    object_lock: boolean;
    legal_hold: boolean;
    integrity_verified: boolean;
  };
}

interface AgentNote {
  note_id: string;
  managed_agent_id: string | null;
  runtime_session_id: string | null;
  text: string;
  author: { user_id: string | null; display: string; auth_method: 'token' | 'api_key' };
  created_at: Timestamp;
  expires_at: Timestamp | null;
}

interface AgentNoteDelivered extends AgentNote {
  delivered_at: Timestamp;
  delivery_channel: 'gateway' | 'hook' | 'assistant_channel' | 'assistant_message';
  turn_index: number | null;
}

interface CraReportableVulnerability {
  execution_id: string;
  flow_id: string;
  flow_name: string;
  cve: string;
  actively_exploited: boolean;
  exploited_evidence: string;
  affected: object;
  vex_status: string;
  discovered_at: Timestamp;
  deadlines: { early_warning_24h: Timestamp; notification_72h: Timestamp; final_report_14d: Timestamp };
  status: string;
  assessment: string;
  kev_snapshot_date: string | null;
  kev_source_url: string | null;
  not_a_legal_determination: true;
  filing_is_manufacturer_responsibility: true;
}

interface AgentDiscovered {
  candidate_id: string;
  agent_kind: string;
  agent_version: string | null;
  workstation_fingerprint: string;
  config_path_hash: string;
  mcp_server_count: number;
  enrolled: boolean;
  os_family: string;
  status: 'new' | 'onboarded' | 'ignored';
  first_seen_at: Timestamp;
}

interface AgentOnboarded {
  agent_id: string;
  agent_name: string;
  agent_kind: string;
  source_type: 'discovered' | 'custom';
  outcome: 'created' | 'relinked' | 'merged';
  enrollment_id: string;
  owner_user_id: string | null;
  actor_user_id: string | null;
  gateway_routed: boolean;
  mcp_rewritten: boolean;
  mcp_server_count: number;
}

interface WebhookTest {
  message: string;
  endpoint_id: string;
  requested_by_user_id: string | null;
}

/** Type of `data`, by event type. */
export interface EventDataByType {
  'approval.created': ApprovalRequest;
  'approval.decided': ApprovalDecided;
  'policy.denied': PolicyDenied;
  'session.ended': SessionEnded;
  'budget.threshold': Budget;
  'budget.exceeded': Budget;
  'flow.execution.finished': FlowExecutionFinished;
  'agent.note_sent': AgentNote;
  'agent.note_delivered': AgentNoteDelivered;
  'cra.reportable_vulnerability': CraReportableVulnerability;
  'agent.discovered': AgentDiscovered;
  'agent.onboarded': AgentOnboarded;
  'webhook.test': WebhookTest;
}

export type WebhookEventType = keyof EventDataByType;

/**
 * Data of an event whose body would have been larger than 64 KB, or whose session was deleted; `reason` says which. If
 * the record still exists, it can be read through the API.
 */
export interface TruncatedData {
  truncated: true;
  reason: string;
}

/** One event: the whole body of a request. */
export interface WebhookEventOf<Type extends WebhookEventType> {
  /** Id of the event, identical for all its retries and replays: use it for de-duplication. */
  readonly id: string;
  readonly type: Type;
  readonly version: '1';
  /** Time at which the event occurred. Use it to order events: requests may arrive in a different order. */
  readonly occurred_at: Timestamp;
  readonly account_id: string;
  readonly data: EventDataByType[Type] | TruncatedData;
}

/**
 * Any event. A comparison of `event.type` narrows the type of the event, and `isTruncated` narrows the type of its
 * data.
 */
export type WebhookEvent = { [Type in WebhookEventType]: WebhookEventOf<Type> }[WebhookEventType];

/** Returns true if the event was sent without its data, because it was too large or its session was deleted. */
export function isTruncated(data: object): data is TruncatedData {
  return (data as Partial<TruncatedData>).truncated === true;
}
