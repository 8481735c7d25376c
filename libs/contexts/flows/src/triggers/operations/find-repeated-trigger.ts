import type { AnyDatabase } from '@steward/database';
import { answerHeldKey, nameKey } from '../rules/held-key.ts';
import { digest } from '../rules/idempotency.ts';
import { findHeldKeys } from '../store/idempotency.store.ts';
import type { TriggerOutcome } from '../trigger.ts';

/**
 * Returns the outcome for a key that was first used within the last 24 hours. The body is only compared: a key that is
 * sent with a different body is refused as reused, even if the body is not a valid payload. Returns undefined for any
 * other key; if requests with the same key are concurrent, `acceptTriggers` decides.
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
