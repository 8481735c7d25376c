import type { ExecutionStatus } from '../../executions/rules/execution-status.ts';
import type { Trigger, TriggerOutcome } from '../trigger.ts';

/** Stored use of a key: the body with which it was first used, and the resulting execution. */
export interface HeldKey {
  readonly bodyDigest: Buffer;
  readonly executionId: string;
  readonly status: ExecutionStatus;
}

/** One string per key and flow. */
export function nameKey(flowId: string, keyDigest: Buffer): string {
  return `${flowId}:${keyDigest.toString('hex')}`;
}

/** The response to a trigger with a used key: that execution, or a refusal if the key came with another body. */
export function answerHeldKey(bodyDigest: Buffer, held: HeldKey): TriggerOutcome {
  return bodyDigest.equals(held.bodyDigest)
    ? { kind: 'deduplicated', execution: { id: held.executionId, status: held.status } }
    : { kind: 'key_reused' };
}

/**
 * Triggers with one name are decided together. The secret is part of it: a sender with a valid secret must not share
 * the outcome of a sender with a replaced secret. At most one of two secrets is that of the flow, so the key is still
 * claimed only once.
 */
export function nameGroup(trigger: Trigger): string | Trigger {
  const { flowId, secretHash, idempotency } = trigger;
  if (idempotency === undefined) return trigger;
  return `${nameKey(flowId, idempotency.keyDigest)}:${secretHash?.toString('hex') ?? ''}`;
}
