import type { ExecutionStatus } from '../../executions/rules/execution-status.ts';
import type { Trigger, TriggerOutcome } from '../trigger.ts';

/** What a key stands for: the body it first came with, and the execution that was made of it. */
export interface HeldKey {
  readonly bodyDigest: Buffer;
  readonly executionId: string;
  readonly status: ExecutionStatus;
}

/** One text for one key of one flow. */
export function nameKey(flowId: string, keyDigest: Buffer): string {
  return `${flowId}:${keyDigest.toString('hex')}`;
}

/** The answer to a trigger whose key is held: that execution, or a refusal when the key came with another body. */
export function answerHeldKey(bodyDigest: Buffer, held: HeldKey): TriggerOutcome {
  return bodyDigest.equals(held.bodyDigest)
    ? { kind: 'deduplicated', execution: { id: held.executionId, status: held.status } }
    : { kind: 'key_reused' };
}

/**
 * Triggers with one name are decided as one. The secret belongs to it: its holder must not be answered for one that holds a
 * replaced one. Of two secrets at most one is the flow's, so the key is claimed once all the same.
 */
export function nameGroup(trigger: Trigger): string | Trigger {
  const { flowId, secretHash, idempotency } = trigger;
  if (idempotency === undefined) return trigger;
  return `${nameKey(flowId, idempotency.keyDigest)}:${secretHash?.toString('hex') ?? ''}`;
}
