import type { ColumnType, Generated, Insertable, JSONColumnType, Kysely, Selectable } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import type { SourceName } from './sources/sources.ts';
import type { ScheduleConfig } from './schedules/schedule-config.ts';
import type { ExecutionStatus, FailureCategory } from './executions/rules/execution-status.ts';

type Json<T> = JSONColumnType<T & object>;
type NullableJson = ColumnType<unknown, string | null, string | null>;

export const FLOW_TRIGGERS = ['manual', 'webhook', 'tracker', 'schedule'] as const;
export type FlowTrigger = (typeof FLOW_TRIGGERS)[number];
export type AgentType = 'command' | 'builtin';

export interface WebhookOptions {
  readonly supersede_on_update?: boolean;
  readonly dedupe_path?: string;
  /**
   * Source of the webhooks; if undefined, known sources are recognized by their headers, and any other sender of JSON
   * is accepted, but its requests are not stored as arrivals.
   */
  readonly source?: SourceName;
  /** Signing secrets. The column contains only masks; the values are sealed and stored separately. */
  readonly signing_secrets?: readonly string[] | null;
  /** Event names as the source uses them; empty or missing: all events. */
  readonly event_types?: readonly string[];
  /** A CEL condition over `payload` and `event`. */
  readonly filter?: string;
  /** Headers that are passed to the run in addition to those of its source. */
  readonly headers?: readonly string[];
}

/** Facts about the request that started a run; set if the flow names its source or the sender was recognized. */
export interface TriggerSource {
  readonly name: SourceName;
  readonly event: string | null;
  readonly action: string | null;
  readonly delivery_id: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

export interface GitCloneConfig {
  readonly repository_url: string;
  readonly branch?: string;
  readonly depth?: number;
  readonly clone_path?: string;
  /** The mask if credentials are stored; a client can send null to remove them. */
  readonly credentials?: string | null;
}

export interface EvidenceConfig {
  readonly enabled: boolean;
  readonly paths: readonly string[];
}

/** Settings for reporting the results of a flow's executions. */
export interface ReportingConfig {
  /**
   * Whether an event is emitted for each vulnerability that, according to a result, is exploited and affects the
   * product (Cyber Resilience Act).
   */
  readonly cra?: boolean;
}

export interface FlowTable {
  id: string;
  account_id: string;
  name: string;
  description: string | null;
  is_enabled: boolean;
  trigger: FlowTrigger;
  prompt_template: string;
  ai_model_id: string | null;
  agent_type: AgentType;
  agent_config: Json<Record<string, unknown>>;
  allowed_tools: string[];
  webhook_config: Json<WebhookOptions>;
  schedule_config: ColumnType<ScheduleConfig | null, string | null, string | null>;
  webhook_secret_sealed: Buffer | null;
  webhook_secret_hash: Buffer | null;
  webhook_secret_hint: string | null;
  /** Sealed JSON list of strings. */
  webhook_signing_sealed: Buffer | null;
  agent_secrets_sealed: Buffer | null;
  git_clone_config: ColumnType<GitCloneConfig | null, string | null, string | null>;
  setup_commands: string[];
  timeout_seconds: number;
  evidence: ColumnType<EvidenceConfig | null, string | null, string | null>;
  reporting: ColumnType<ReportingConfig | null, string | null, string | null>;
  network_allow: string[];
  /** JSON list of `NetworkSecret`. */
  network_secrets: NullableJson;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/**
 * Stored part of the event that triggered an execution; `content_base64` is redacted, because the bytes are in separate
 * rows.
 */
export interface TriggerEventDetails {
  readonly source: FlowTrigger | TriggerSource;
  readonly type: FlowTrigger;
  readonly received_at: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly _workspace_file_paths?: readonly string[];
}

export interface ExecutionTable {
  id: string;
  account_id: string;
  flow_id: string;
  flow_name: string;
  status: ExecutionStatus;
  failure_category: FailureCategory | null;
  error_message: string | null;
  trigger_type: FlowTrigger;
  trigger_event_details: Json<TriggerEventDetails>;
  resolved_input_prompt: string | null;
  runtime_session_id: string | null;
  result: NullableJson;
  evidence_receipt: NullableJson;
  dedupe_value: string | null;
  retry_of_execution_id: string | null;
  stop_requested_at: Date | null;
  lease_token: string | null;
  lease_until: Date | null;
  worker_id: string | null;
  created_at: Generated<Date>;
  started_at: Date | null;
  finished_at: Date | null;
  /** W3C trace context of the execution; null if it was accepted by a version without traces. */
  traceparent: string | null;
  /** The report settings that the flow had when the execution was triggered. */
  reporting: ColumnType<ReportingConfig | null, string | null, string | null>;
}

export interface ExecutionWorkspaceFileTable {
  execution_id: string;
  path: string;
  account_id: string;
  content: Buffer;
}

export interface IdempotencyKeyTable {
  flow_id: string;
  key_digest: Buffer;
  account_id: string;
  body_digest: Buffer;
  execution_id: string;
  created_at: Date;
}

/** A secret that flows of the account refer to by its name. */
export interface SecretTable {
  account_id: string;
  name: string;
  value_sealed: Buffer;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type ArrivalOutcome = 'accepted' | 'deduplicated' | 'ignored';

/** A request from a flow's source, with its content and outcome. */
export interface ArrivalTable {
  id: string;
  account_id: string;
  flow_id: string;
  received_at: Date;
  outcome: ArrivalOutcome;
  reason: string | null;
  source: Json<TriggerSource>;
  payload: NullableJson;
  execution_id: string | null;
  resent_from: string | null;
}

/** State of a flow's schedule, including the next start. Every flow with a schedule has a row. */
export interface ScheduleTable {
  flow_id: string;
  account_id: string;
  revision: number;
  anchor_at: Date;
  paused_at: Date | null;
  next_due_at: Date | null;
  next_start_at: Date | null;
  queued_due_at: Date | null;
}

export type DueOutcome = 'started' | 'queued' | 'skipped' | 'missed';

/** Outcome of a due time. */
export interface DueTimeTable {
  flow_id: string;
  due_at: Date;
  account_id: string;
  outcome: DueOutcome;
  reason: string | null;
  execution_id: string | null;
  decided_at: Date;
}

export interface FlowsDatabase {
  'flows.schedule': ScheduleTable;
  'flows.due_time': DueTimeTable;
  'flows.arrival': ArrivalTable;
  'flows.secret': SecretTable;
  'flows.flow': FlowTable;
  'flows.execution': ExecutionTable;
  'flows.execution_workspace_file': ExecutionWorkspaceFileTable;
  'flows.idempotency_key': IdempotencyKeyTable;
}

export type FlowRow = Selectable<FlowTable>;
export type NewFlow = Insertable<FlowTable>;
export type ScheduleRow = Selectable<ScheduleTable>;
export type DueTimeRow = Selectable<DueTimeTable>;
export type ArrivalRow = Selectable<ArrivalTable>;
export type ExecutionRow = Selectable<ExecutionTable>;

/** Flow columns that are visible to a worker: all except sealed values and the hash and hint of the webhook secret. */
export type RunnableFlow = Omit<
  FlowRow,
  | 'webhook_secret_sealed'
  | 'webhook_secret_hash'
  | 'webhook_secret_hint'
  | 'webhook_signing_sealed'
  | 'agent_secrets_sealed'
>;

/** Returns the caller's transaction (or database), typed with this context's tables. */
export const tables = (db: AnyDatabase): Kysely<FlowsDatabase> => db;
