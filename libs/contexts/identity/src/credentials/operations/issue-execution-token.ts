import { randomBytes } from 'node:crypto';
import { newId } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { buildExecutionToken, hashCredential } from '../rules/credential-text.ts';
import { insertExecutionToken } from '../store/execution-token.store.ts';

/** An execution and its worker's lease: a credential for the execution is issued only while the lease is held. */
export interface LeasedExecution {
  readonly executionId: string;
  readonly leaseToken: string;
}

/**
 * Creates a credential for one run's agent and replaces an earlier one; the plaintext is returned once and never
 * stored. Account, flow and session are read from the execution. Returns undefined if the lease no longer covers the
 * execution.
 */
export async function issueExecutionToken(db: AnyDatabase, run: LeasedExecution): Promise<string | undefined> {
  const token = buildExecutionToken(randomBytes);
  const issued = await insertExecutionToken(db, { ...run, id: newId(), tokenHash: hashCredential(token) });
  return issued ? token : undefined;
}
