import type { AnyTransaction } from '@steward/database';
import { randomBytes } from 'node:crypto';
import type { HintSink } from '@steward/contracts';
import { newId, type SecretBox } from '@steward/crypto';
import { buildSecret, buildSecretHint } from '../../deliveries/rules/signature.ts';
import { insertSecret } from '../store/secret.store.ts';

const SECRET_BYTES = 32;

export function generateSecret(): string {
  return buildSecret(randomBytes(SECRET_BYTES));
}

/**
 * Encrypts `secret` for the endpoint, and stores it as the endpoint's current secret. The caller must hold the
 * account's lock.
 */
export async function storeSecret(
  trx: AnyTransaction,
  input: {
    readonly accountId: string;
    readonly endpointId: string;
    readonly secret: string;
    /** Time in seconds for which the previous secret is also used to sign. */
    readonly overlapSeconds: number;
  },
  secretBox: SecretBox,
): Promise<void> {
  const { secret, ...key } = input;
  await insertSecret(trx, {
    ...key,
    id: newId(),
    ciphertext: secretBox.seal(secret, key.endpointId),
    hint: buildSecretHint(secret),
  });
}

/**
 * Adds a message that only wakes the dispatcher, since rows may have been waiting for this change. The id of the
 * message is new, so that the message is not dropped as a duplicate of an earlier one.
 */
export function addWakeHint(hints: HintSink, accountId: string): void {
  hints.add('event-emitted', {
    account_id: accountId,
    event_id: newId(),
    event_type: 'endpoint.resumed',
    generation: 1,
    delivery_count: 0,
  });
}
