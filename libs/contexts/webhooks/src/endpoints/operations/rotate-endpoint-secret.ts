import type { SecretBox } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { buildSecretHint } from '../../deliveries/rules/signature.ts';
import { lockAccount } from '../../outbox/store/account-lock.store.ts';
import type { Endpoint } from '../rules/endpoint-view.ts';
import { generateSecret, storeSecret } from './endpoint-secret.ts';
import { findOwnEndpoint, type ChangeRefusal, type EndpointKey } from './find-own-endpoint.ts';

/**
 * Replaces the secret; the next delivery is signed with the new secret. During the overlap, deliveries are also signed
 * with the old secret.
 */
export async function rotateEndpointSecret(
  trx: AnyTransaction,
  input: EndpointKey & { readonly overlapSeconds: number },
  secretBox: SecretBox,
): Promise<{ readonly kind: 'rotated'; readonly endpoint: Endpoint; readonly secret: string } | ChangeRefusal> {
  // The lock serializes concurrent rotations, since otherwise both would store their secret as the current one.
  await lockAccount(trx, input.accountId);
  const before = await findOwnEndpoint(trx, input);
  if (before.kind !== 'found') return before;
  const secret = generateSecret();
  await storeSecret(trx, { ...input, secret }, secretBox);
  return { kind: 'rotated', endpoint: { ...before.endpoint, secretHint: buildSecretHint(secret) }, secret };
}
