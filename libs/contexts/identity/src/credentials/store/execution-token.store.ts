import { sql, type RawBuilder } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';

export interface NewExecutionToken {
  readonly id: string;
  readonly executionId: string;
  readonly leaseToken: string;
  readonly tokenHash: Buffer;
}

/**
 * Stores a credential for an execution. Returns false if the lease no longer covers the execution: the database
 * function itself checks this, for any caller.
 */
export async function insertExecutionToken(db: AnyDatabase, token: NewExecutionToken): Promise<boolean> {
  const issued = await sql<{ expires_at: Date | null }>`
    select gateway.issue_execution_token(${token.id}, ${token.executionId}, ${token.leaseToken}, ${token.tokenHash})
      as expires_at
  `.execute(db);
  return (issued.rows[0]?.expires_at ?? null) !== null;
}

export interface ExecutionToken {
  readonly id: string;
  readonly token_hash: Buffer;
  readonly execution_id: string;
}

/**
 * Selects the unexpired tokens with these hashes. Whether a token is valid depends on its execution; the context that
 * owns executions reads tokens and executions in one statement.
 */
export function selectExecutionTokens(tokenHashes: readonly Buffer[], now: Date): RawBuilder<ExecutionToken> {
  return sql<ExecutionToken>`
    select id, token_hash, execution_id from gateway.execution_token
    where token_hash = any((select ${tokenHashes}::bytea[])::bytea[]) and expires_at > ${now}`;
}

/** Removes the credentials of an execution that has ended; the gateway no longer accepts them anyway. */
export async function revokeExecutionTokens(trx: AnyTransaction, executionId: string): Promise<void> {
  await sql`select gateway.revoke_execution_tokens(${executionId})`.execute(trx);
}
