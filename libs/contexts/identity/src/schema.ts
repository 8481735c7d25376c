import type { ModelLimits } from '@steward/contracts';
import type { ColumnType, Generated, Insertable, Kysely, Selectable } from 'kysely';
import type { AnyDatabase } from '@steward/database';

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
  password_hash: string | null;
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
  scopes: string[] | null;
  ancestor_ids: Generated<string[]>;
  runtime_principal_type: string | null;
  runtime_principal_id: string | null;
  runtime_principal_name: string | null;
  is_suspended: Generated<boolean>;
  /** Limits of the key; null: none. */
  model_limits: ColumnType<ModelLimits | null, string | null, string | null>;
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

export interface KillSwitchTable {
  account_id: string;
  engaged: boolean;
  reason: string | null;
  changed_at: Date;
  changed_by: string;
}

export interface IdentityDatabase {
  'gateway.account': AccountTable;
  'gateway.role': RoleTable;
  'gateway.user_account': UserAccountTable;
  'gateway.api_key': ApiKeyTable;
  'gateway.login_failure': LoginFailureTable;
  'gateway.kill_switch': KillSwitchTable;
}

export type ApiKeyRow = Selectable<ApiKeyTable>;
export type NewApiKeyRow = Insertable<ApiKeyTable>;

/** Returns the caller's transaction (or database), typed with this context's tables. */
export const tables = (db: AnyDatabase): Kysely<IdentityDatabase> => db;
