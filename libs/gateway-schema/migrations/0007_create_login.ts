import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Creates logins with their refresh tokens, and invitations of users without a password. */
export const createLogin: Migration = {
  async up(db) {
    await sql`
      -- One row per living login. Ending one deletes it, and with it every token: what names no row is worth nothing.
      create table gateway.login (
        id uuid primary key,
        account_id uuid not null,
        user_id uuid not null references gateway.user_account (id),
        created_at timestamptz(3) not null,
        -- Of its newest refresh token; what the purge goes by.
        expires_at timestamptz(3) not null,
        -- However often it is refreshed.
        ends_at timestamptz(3) not null,
        constraint login_expires_at_check check (expires_at <= ends_at)
      )
    `.execute(db);
    await sql`create index login_user_id_idx on gateway.login (user_id)`.execute(db);
    await sql`create index login_expires_at_idx on gateway.login (expires_at)`.execute(db);
    await sql`
      create table gateway.refresh_token (
        -- SHA-256: 256 random bits need no slow hash, and a request must find it by index.
        token_hash bytea primary key,
        login_id uuid not null references gateway.login (id) on delete cascade,
        expires_at timestamptz(3) not null,
        -- A used one stays: coming a second time, it shows that somebody has a copy.
        used_at timestamptz(3)
      )
    `.execute(db);
    await sql`create index refresh_token_login_id_idx on gateway.refresh_token (login_id)`.execute(db);
    // Null until an invitation was accepted: nobody can log in as that user.
    await sql`alter table gateway.user_account alter column password_hash drop not null`.execute(db);
    await sql`
      create table gateway.invitation (
        user_id uuid primary key references gateway.user_account (id),
        account_id uuid not null,
        token_hash bytea not null constraint invitation_token_hash_key unique,
        expires_at timestamptz(3) not null,
        created_at timestamptz(3) not null default now()
      )
    `.execute(db);
    await sql`
      grant select, insert, update, delete on gateway.login, gateway.refresh_token, gateway.invitation
      to steward_api_gateway
    `.execute(db);
  },
};
