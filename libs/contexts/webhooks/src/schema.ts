import type { ColumnType, Generated, Kysely } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import type { NoticeKind } from './channels/channel.ts';

/** A timestamp that the server sets by default. */
type GeneratedTime = ColumnType<Date, Date | undefined, Date>;

/** Source of an endpoint as shown in lists: chat webhooks are shown as endpoints of their workflow. */
export type EndpointSource = 'account' | 'approval_workflow';
/** Kinds of endpoints of an approval workflow: receivers of events, and chat webhooks. */
export type WorkflowSource = 'approval_workflow' | 'approval_chat';
export type CircuitState = 'closed' | 'open' | 'half_open';
export type BreakerMoveReason = 'failures' | 'cooldown_over' | 'probe_succeeded' | 'probe_failed' | 'endpoint_changed';
export type DeliveryStatus = 'pending' | 'delivered' | 'dead' | 'cancelled';

interface EndpointTable {
  id: string;
  account_id: string;
  source: Generated<EndpointSource | WorkflowSource | 'mail' | 'listener' | 'notice_channel' | 'push_subscription'>;
  channel_kind: NoticeKind | null;
  source_id: string | null;
  /** Unencrypted address: the fixed one for email or for listeners, or one that an earlier release stored. */
  url: string | null;
  url_sealed: Buffer | null;
  origin: string | null;
  url_version: Generated<number>;
  description: Generated<string>;
  group_name: string | null;
  event_types: Generated<string[]>;
  active: Generated<boolean>;
  keeps_answers: Generated<boolean>;
  circuit_state: Generated<CircuitState>;
  circuit_open_until: Date | null;
  consecutive_failures: Generated<number>;
  probe_token: string | null;
  probe_until: Date | null;
  waiting_since: Date | null;
  refusal_reason: 'outbox_full' | null;
  refused_at: Date | null;
  last_delivery_status: 'delivered' | 'failed' | 'dead' | null;
  last_delivery_at: Date | null;
  last_response_status: number | null;
  last_error: string | null;
  created_at: GeneratedTime;
  updated_at: GeneratedTime;
  deleted_at: Date | null;
}

interface EndpointSecretTable {
  id: string;
  account_id: string;
  endpoint_id: string;
  ciphertext: Buffer;
  hint: string;
  active_from: GeneratedTime;
  expires_at: Date | null;
}

interface OutboxShardTable {
  account_id: string;
  shard: number;
  pending: Generated<number>;
  quota: Generated<number>;
  bound: Generated<number>;
}

interface OutboxCounterTable {
  account_id: string;
  refused_at: Date | null;
  refused_count: Generated<number>;
}

interface EventTable {
  account_id: string;
  id: string;
  type: string;
  version: Generated<string>;
  occurred_at: Date;
  body: Buffer;
  truncated: Generated<boolean>;
  generation: Generated<number>;
  created_at: GeneratedTime;
  traceparent: string | null;
}

interface DeliveryTable {
  id: Generated<string>;
  account_id: string;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  generation: Generated<number>;
  attempt_count: Generated<number>;
  next_attempt_at: GeneratedTime;
  waits_for: 'time' | 'endpoint' | null;
  claim_token: string | null;
  claim_until: Date | null;
  response_status: number | null;
  last_error: string | null;
  occurred_at: Date;
  created_at: GeneratedTime;
  traceparent: string | null;
}

interface DeliveryDoneTable {
  id: string;
  account_id: string;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  generation: number;
  status: Exclude<DeliveryStatus, 'pending'>;
  attempt_count: number;
  response_status: number | null;
  last_error: string | null;
  occurred_at: Date;
  created_at: Date;
  finished_at: GeneratedTime;
  traceparent: string | null;
}

interface AttemptTable {
  delivery_id: string;
  account_id: string;
  number: number;
  started_at: Date;
  duration_ms: number;
  dns_ms: number | null;
  connect_ms: number | null;
  tls_ms: number | null;
  first_byte_ms: number | null;
  response_status: number | null;
  error: string | null;
  error_class: string | null;
  remote_address: string | null;
  next_attempt_at: Date | null;
  is_probe: Generated<boolean>;
  answer: string | null;
}

interface BreakerMoveTable {
  endpoint_id: string;
  account_id: string;
  moved_at: Date;
  from_state: CircuitState;
  to_state: CircuitState;
  reason: BreakerMoveReason;
  consecutive_failures: number;
}

export interface AcceptanceTable {
  delivery_id: string;
  account_id: string;
  workflow_id: string;
  event_id: string;
  event_type: string;
  accepted_at: Date;
  /** Reason why the receiver did not accept the event; null if it did. */
  error: string | null;
}

interface RecoveryJobTable {
  id: string;
  account_id: string;
  endpoint_id: string | null;
  since: Date;
  until: Date;
  matched: number;
  queued: Generated<number>;
  after_id: string | null;
  next_run_at: GeneratedTime;
  created_at: GeneratedTime;
  finished_at: Date | null;
  traceparent: string | null;
}

/** The tables of the context for the query builder. */
export interface WebhooksDatabase {
  'webhooks.endpoint': EndpointTable;
  'webhooks.endpoint_secret': EndpointSecretTable;
  'webhooks.outbox_counter': OutboxCounterTable;
  'webhooks.outbox_shard': OutboxShardTable;
  'webhooks.event': EventTable;
  'webhooks.delivery': DeliveryTable;
  'webhooks.delivery_done': DeliveryDoneTable;
  'webhooks.attempt': AttemptTable;
  'webhooks.acceptance': AcceptanceTable;
  'webhooks.breaker_move': BreakerMoveTable;
  'webhooks.recovery_job': RecoveryJobTable;
}

/** Returns the caller's transaction (or database), typed with this context's tables. */
export const tables = (db: AnyDatabase): Kysely<WebhooksDatabase> => db;
