import type { AnyDatabase } from '@steward/database';
import { answerHeldKey, nameKey } from '../rules/held-key.ts';
import { digest } from '../rules/idempotency.ts';
import { findHeldKeys } from '../store/idempotency.store.ts';
import type { TriggerOutcome } from '../trigger.ts';

/**
 * What a key that is held answers, whatever the body is: a key sent with other bytes is refused as such also when those bytes
 * are no payload. Undefined for one nobody used; `acceptTriggers` decides between requests that come at once.
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
