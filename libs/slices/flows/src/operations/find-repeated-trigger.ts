import type { AnyDatabase } from '@steward/database';
import { digest } from '../rules/idempotency.ts';
import type { ExecutionRow, FlowRow } from '../schema.ts';
import * as executions from '../store/execution.store.ts';
import { findIdempotencyKey } from '../store/idempotency.store.ts';

export type RepeatedTriggerOutcome =
  | { readonly kind: 'deduplicated'; readonly execution: ExecutionRow }
  | { readonly kind: 'key_reused' }
  | { readonly kind: 'first' };

/**
 * Looks a key up before the body is parsed: a repeat is answered without that work, and a key sent with other bytes is
 * refused as such whatever those bytes are. `acceptTrigger` decides between requests that come at once.
 */
export async function findRepeatedTrigger(
  db: AnyDatabase,
  input: {
    readonly flow: Pick<FlowRow, 'id' | 'account_id'>;
    readonly key: string;
    readonly body: Buffer;
    readonly now: Date;
  },
): Promise<RepeatedTriggerOutcome> {
  const { flow, key, body, now } = input;
  const held = await findIdempotencyKey(db, { flowId: flow.id, keyDigest: digest(key), now });
  if (held === undefined) return { kind: 'first' };
  if (!held.bodyDigest.equals(digest(body))) return { kind: 'key_reused' };
  const execution = await executions.findExecution(db, flow.account_id, held.executionId);
  return execution === undefined ? { kind: 'first' } : { kind: 'deduplicated', execution };
}
