import type { ColumnType, Generated, Kysely } from 'kysely';
import type { AnyDatabase } from '@steward/database';
import type {
  AiVerdict,
  ApprovalActor,
  ApprovalRule,
  ApprovalStatus,
  VoteDecision,
  VoteChannel,
} from './requests/approval-request.ts';

/** A timestamp that the database sets by default. */
type GeneratedTime = ColumnType<Date, Date | undefined, Date>;

/** A JSON column, which is written as a string. */
type Json<T> = ColumnType<T, string, string>;

interface ApprovalWorkflowTable {
  id: string;
  account_id: string;
  name: string;
  description: string;
  approver_user_ids: string[];
  approver_roles: string[];
  quorum: number;
  expires_seconds: number;
  approval_wait_seconds: number;
  require_comment: boolean;
  allow_self_approval: boolean;
  escalate_after_seconds: number | null;
  escalation_user_ids: string[];
  /** Plaintext from an earlier release; null if the receivers are sealed, an empty list if there are none. */
  channel_configs: ColumnType<object | null, string | null, string | null>;
  approval_webhook_url: string | null;
  receivers_sealed: Buffer | null;
  receivers_shown: ColumnType<object | null, string | null, string | null>;
  webhook_secret_hint: string | null;
  is_default: boolean;
  email: boolean | null;
  mode: 'human' | 'ai_first';
  ai_model_id: string | null;
  ai_guidelines: string;
  ai_confidence_threshold: number;
  bypass_until: Date | null;
  bypass_reason: string | null;
  bypass_user_id: string | null;
  created_at: GeneratedTime;
  updated_at: GeneratedTime;
}

interface ApprovalRequestTable {
  id: string;
  account_id: string;
  approval_workflow_id: string;
  status: Generated<ApprovalStatus>;
  tool_name: string;
  server: string;
  arguments: Json<object>;
  call_hash: Buffer;
  definition_hash: string | null;
  summary: string;
  reasoning: string | null;
  quorum: number;
  human_only: boolean;
  requester_user_id: string;
  api_key_id: string | null;
  managed_agent_id: string | null;
  managed_agent_name: string | null;
  runtime_session_id: string | null;
  execution_id: string | null;
  rule: ColumnType<ApprovalRule | null, string | null, never>;
  policy_version: number;
  requested_at: Date;
  expires_at: Date;
  due_at: Date | null;
  escalated_at: Date | null;
  resolved_at: Date | null;
  actor: ColumnType<ApprovalActor | null, string | null, string>;
  comment: string | null;
  consumed_at: Date | null;
  webhook_posted_at: Date | null;
  webhook_error: string | null;
  created_event_id: string | null;
  ai_due_at: Date | null;
  ai_asked_at: Date | null;
  ai: ColumnType<AiVerdict | null, never, string>;
}

interface ApprovalVoteTable {
  request_id: string;
  user_id: string;
  display: string;
  decision: VoteDecision;
  comment: string | null;
  via: VoteChannel;
  voted_at: Date;
}

interface ApprovalLinkTable {
  token_hash: Buffer;
  request_id: string;
  user_id: string;
  used_at: Date | null;
}

interface ApprovalRunTable {
  request_id: string;
  account_id: string;
  state: 'kept' | 'running' | 'done';
  call_sealed: Buffer | null;
  lease_until: Date | null;
  result_sealed: Buffer | null;
}

export interface ApprovalsDatabase {
  'approvals.approval_workflow': ApprovalWorkflowTable;
  'approvals.approval_request': ApprovalRequestTable;
  'approvals.approval_vote': ApprovalVoteTable;
  'approvals.approval_link': ApprovalLinkTable;
  'approvals.approval_run': ApprovalRunTable;
}

/** Returns the caller's transaction (or database), typed with this context's tables. */
export const tables = (db: AnyDatabase): Kysely<ApprovalsDatabase> => db;
