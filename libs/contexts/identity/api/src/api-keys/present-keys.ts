import type { AnswerBody } from '@steward/http';
import { readKeyUse } from '@steward/budgets';
import type { ApiKey } from '@steward/identity';
import type { IdentityDeps } from '../identity-deps.ts';
import { presentKey, type KeyAnswer } from './api-key-schemas.ts';

/** Creates a function that presents these keys with the usage of their limits. */
export async function createKeyPresenter(
  { db, clock }: Pick<IdentityDeps, 'db' | 'clock'>,
  accountId: string,
  keys: readonly ApiKey[],
): Promise<(key: ApiKey) => AnswerBody<typeof KeyAnswer>> {
  const limited = keys.filter(({ model_limits: limits }) => limits !== null).map(({ id }) => id);
  const used = await readKeyUse(db, { accountId, ids: limited, at: clock.now() });
  return (key) => presentKey(key, used.get(key.id));
}
