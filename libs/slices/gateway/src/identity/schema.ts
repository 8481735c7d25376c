import type { ColumnType, Generated, Selectable } from 'kysely';

export interface AccountTable {
  id: string;
  name: string;
  created_at: Generated<Date>;
}

export interface RoleTable {
  id: string;
  account_id: string | null;
  name: string;
  permissions: string[];
  created_at: Generated<Date>;
}

export interface UserAccountTable {
  id: string;
  account_id: string;
  username: string;
  email: string;
  full_name: string | null;
  password_hash: string;
  role_id: string;
  is_active: Generated<boolean>;
  token_generation: Generated<number>;
  created_at: Generated<Date>;
}

export interface ApiKeyTable {
  id: string;
  account_id: string;
  user_id: string;
  name: string;
  key_hash: Buffer;
  hint: string;
  scopes: string[];
  runtime_principal_type: string | null;
  runtime_principal_id: string | null;
  runtime_principal_name: string | null;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
  created_at: Generated<Date>;
}

export interface LoginFailureTable {
  bucket: Buffer;
  window_start: Date;
  failures: number;
}

export type AuditActorKind = 'user' | 'api_key' | 'agent' | 'system' | 'anonymous';
export type AuditSource = 'console' | 'mcp' | 'system' | 'webhook';
export type AuditStatus = 'success' | 'denied' | 'failure';

export interface AuditLogTable {
  id: string;
  account_id: string;
  occurred_at: Date;
  actor_kind: AuditActorKind;
  actor_id: string | null;
  source: AuditSource;
  action: string;
  resource_type: string;
  resource_id: string | null;
  status: AuditStatus;
  details: ColumnType<Record<string, unknown>, string, never>;
  request_id: string | null;
}

export interface IdentityDatabase {
  'gateway.account': AccountTable;
  'gateway.role': RoleTable;
  'gateway.user_account': UserAccountTable;
  'gateway.api_key': ApiKeyTable;
  'gateway.login_failure': LoginFailureTable;
  'gateway.audit_log': AuditLogTable;
}

export type ApiKeyRow = Selectable<ApiKeyTable>;
export type AuditLogRow = Selectable<AuditLogTable>;
