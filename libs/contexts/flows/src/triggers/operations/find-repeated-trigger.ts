import type { AnyDatabase } from '@steward/database';
import { answerHeldKey, nameKey } from '../rules/held-key.ts';
import { digest } from '../rules/idempotency.ts';
import { findHeldKeys } from '../store/idempotency.store.ts';
import type { TriggerOutcome } from '../trigger.ts';

/**
 * The response for a used key, for any body: a key sent with other bytes is refused as such even if those bytes are not
 * a valid payload. Undefined for an unused key; `acceptTriggers` decides between concurrent requests.
 */
export async function findRepeatedTrigger(
  db: AnyDatabase,
  input: { readonly flowId: string; readonly key: string; readonly body: Buffer; readonly now: Date },
): Promise<TriggerOutcome | undefined> {
  const { flowId, key, body, now } = input;
  const keyDigest = digest(key);
  const held = (await findHeldKeys(db, [{ flowId, keyDigest }], now)).get(nameKey(flowId, keyDigest));
  return held === undefined ? undefined : answerHeldKey(digest(body), held);
}
