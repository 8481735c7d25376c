import { randomBytes } from 'node:crypto';
import { newId } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { buildExecutionToken, hashCredential } from '../rules/credential-text.ts';
import { insertExecutionToken } from '../store/execution-token.store.ts';

/** An execution and the lease its worker holds on it, which is what entitles it to a credential. */
export interface LeasedExecution {
  readonly executionId: string;
  readonly leaseToken: string;
}

/**
 * A credential for one run's agent, in place of an earlier one; the clear text is answered here once and stored nowhere.
 * Account, flow and session are read from the execution. Undefined when the lease does not hold it any more.
 */
export async function issueExecutionToken(db: AnyDatabase, run: LeasedExecution): Promise<string | undefined> {
  const token = buildExecutionToken(randomBytes);
  const issued = await insertExecutionToken(db, { ...run, id: newId(), tokenHash: hashCredential(token) });
  return issued ? token : undefined;
}
