import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Permission } from '@steward/contracts';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { newId } from '@steward/runtime';
import { buildExecutionToken, hashApiKey } from '../rules/api-key.ts';

export interface NewExecutionToken {
  readonly accountId: string;
  readonly executionId: string;
  readonly sessionId: string;
  readonly flow: { readonly id: string; readonly name: string };
  readonly expiresAt: Date;
}

/** What an agent may do: read its account's sessions and flows, and write to its own session. */
const AGENT_PERMISSIONS: readonly Permission[] = [
  'view_runtime_sessions',
  'manage_runtime_sessions',
  'search_session_content',
  'view_flows',
];

/** A credential for one run's agent; the clear text is answered here once and stored nowhere. */
export async function issueExecutionToken(db: AnyDatabase | AnyTransaction, input: NewExecutionToken): Promise<string> {
  const token = buildExecutionToken(randomBytes);
  await sql`
    insert into gateway.execution_token
      (id, account_id, execution_id, runtime_session_id, flow_id, flow_name, token_hash, permissions, expires_at)
    values (${newId()}, ${input.accountId}, ${input.executionId}, ${input.sessionId}, ${input.flow.id},
      ${input.flow.name}, ${hashApiKey(token)}, ${[...AGENT_PERMISSIONS]}, ${input.expiresAt})
  `.execute(db as AnyDatabase);
  return token;
}

/** Ends the credentials of an execution: with the commit they are worth nothing. */
export async function revokeExecutionTokens(trx: AnyTransaction, executionId: string): Promise<void> {
  await sql`delete from gateway.execution_token where execution_id = ${executionId}`.execute(trx);
}
