import type { SecretBox } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { listWorkflowEndpoints } from '../store/endpoint.store.ts';
import { storeSecret } from './endpoint-secret.ts';

export interface WorkflowKey {
  readonly accountId: string;
  readonly workflowId: string;
}

/**
 * Gives all receivers of a workflow's events the same secret. Returns their number. The caller must hold the account's
 * lock.
 */
export async function replaceWorkflowSecret(
  trx: AnyTransaction,
  key: WorkflowKey,
  next: { readonly secret: string; readonly overlapSeconds: number },
  secretBox: SecretBox,
): Promise<number> {
  const endpoints = await listWorkflowEndpoints(trx, key);
  for (const endpoint of endpoints) {
    await storeSecret(trx, { accountId: key.accountId, endpointId: endpoint.id, ...next }, secretBox);
  }
  return endpoints.length;
}
