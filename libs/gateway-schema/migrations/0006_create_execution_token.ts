import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const createExecutionToken: Migration = {
  async up(db) {
    await sql`
      -- Credentials of running agents; deleted with the end of the execution, so the table is as small as the work in hand.
      create table gateway.execution_token (
        id uuid primary key,
        account_id uuid not null,
        execution_id uuid not null,
        runtime_session_id uuid not null,
        flow_id uuid not null,
        flow_name text not null,
        -- SHA-256: 256 random bits need no slow hash, and a request must find it by index.
        token_hash bytea not null constraint execution_token_token_hash_key unique,
        permissions text[] not null,
        expires_at timestamptz(3) not null,
        created_at timestamptz(3) not null default now()
      )
    `.execute(db);
    await sql`create index execution_token_execution_id_idx on gateway.execution_token (execution_id)`.execute(db);
    await sql`grant select, delete on gateway.execution_token to steward_api_gateway`.execute(db);
    await sql`grant select, insert, delete on gateway.execution_token to steward_flow_trigger`.execute(db);
  },
};
