import type { Kysely, Selectable } from 'kysely';
import type { AnyDatabase } from '@steward/database';

export interface AgentTable {
  account_id: string;
  id: string;
  agent_kind: string;
  display_name: string;
  session_source_type: string | null;
  session_source_id: string | null;
  owner_user_id: string | null;
  tags: string[];
  enrolled_via: string;
  lifecycle_state: string;
  lifecycle_reason: string | null;
  merged_into: string | null;
  merged_since_onboarding: boolean;
  last_seen_at: Date | null;
  last_model_call_at: Date | null;
  last_permission_check_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export interface EnrollmentTable {
  account_id: string;
  id: string;
  agent_id: string;
  enrollment_type: string;
  adapter_key: string | null;
  target_config_path: string | null;
  status: string;
  gateway_routed: boolean;
  mcp_rewritten: boolean;
  mcp_server_count: number;
  candidate_id: string | null;
  message: string | null;
  onboarded_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export interface CandidateTable {
  account_id: string;
  id: string;
  workstation_fingerprint: string;
  agent_kind: string;
  config_path_hash: string;
  agent_version: string | null;
  mcp_server_count: number;
  enrolled: boolean;
  os_family: string;
  status: string;
  agent_id: string | null;
  first_seen_at: Date;
  last_seen_at: Date;
}

/** Tables of the schema `agents`, as the query builder sees them: 'schema.table' -> columns. */
export interface AgentsDatabase {
  'agents.agent': AgentTable;
  'agents.enrollment': EnrollmentTable;
  'agents.candidate': CandidateTable;
}

export type AgentRow = Selectable<AgentTable>;
export type CandidateRow = Selectable<CandidateTable>;
export type EnrollmentRow = Selectable<EnrollmentTable>;

/** Returns the caller's transaction (or database), typed with this context's tables. */
export const tables = (db: AnyDatabase): Kysely<AgentsDatabase> => db;
