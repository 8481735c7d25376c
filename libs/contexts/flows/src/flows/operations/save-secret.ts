import type { AnyTransaction } from '@steward/database';
import { toStorableText } from '@steward/text';
import { describeRowContext, type SecretBox } from '@steward/crypto';
import { requireSecretQuota } from '../store/quota.store.ts';
import * as store from '../store/secret.store.ts';

/**
 * Stores a secret under its name; an existing one is replaced. The value is never shown again: only runs of flows that
 * refer to the secret get its value.
 * @throws quota_reached
 */
export async function saveSecret(
  trx: AnyTransaction,
  input: { readonly accountId: string; readonly name: string; readonly value: string },
  box: SecretBox,
): Promise<{ readonly secret: store.NamedSecret; readonly isNew: boolean }> {
  const { accountId, name } = input;
  await requireSecretQuota(trx, input);
  const isNew = (await store.findSecret(trx, accountId, name)) === undefined;
  const value = box.seal(toStorableText(input.value), describeRowContext(accountId, name));
  return { secret: await store.upsertSecret(trx, { account_id: accountId, name, value_sealed: value }), isNew };
}
