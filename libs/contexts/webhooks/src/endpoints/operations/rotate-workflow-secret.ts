import type { SecretBox } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { lockAccount } from '../../outbox/store/account-lock.store.ts';
import { buildSecretHint } from '../../deliveries/rules/signature.ts';
import { generateSecret } from './endpoint-secret.ts';
import { replaceWorkflowSecret, type WorkflowKey } from './replace-workflow-secret.ts';

/**
 * Replaces the secret of all receivers of the workflow's events. From then on, deliveries are signed with the new
 * secret; during the overlap, they are also signed with the old one.
 */
export async function rotateWorkflowSecret(
  trx: AnyTransaction,
  input: WorkflowKey & { readonly overlapSeconds: number },
  secretBox: SecretBox,
): Promise<
  { readonly kind: 'rotated'; readonly secret: string; readonly secretHint: string } | { readonly kind: 'not_found' }
> {
  await lockAccount(trx, input.accountId);
  const secret = generateSecret();
  const replaced = await replaceWorkflowSecret(trx, input, { secret, overlapSeconds: input.overlapSeconds }, secretBox);
  return replaced === 0 ? { kind: 'not_found' } : { kind: 'rotated', secret, secretHint: buildSecretHint(secret) };
}
