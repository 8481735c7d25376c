import type { ExecutionStatus } from '../../executions/rules/execution-status.ts';
import type { Trigger, TriggerOutcome } from '../trigger.ts';

/**
 * Stored use of an idempotency key: the digest of the body with which it was first used, and the resulting execution.
 */
export interface HeldKey {
  readonly bodyDigest: Buffer;
  readonly executionId: string;
  readonly status: ExecutionStatus;
}

/** Returns a unique string for the key of a flow. */
export function nameKey(flowId: string, keyDigest: Buffer): string {
  return `${flowId}:${keyDigest.toString('hex')}`;
}

/**
 * Returns the outcome of a trigger whose key was used before: the execution of that key, or a refusal if the key was
 * sent with another body.
 */
export function answerHeldKey(bodyDigest: Buffer, held: HeldKey): TriggerOutcome {
  return bodyDigest.equals(held.bodyDigest)
    ? { kind: 'deduplicated', execution: { id: held.executionId, status: held.status } }
    : { kind: 'key_reused' };
}

/**
 * Returns the group of a trigger: triggers with the same key and secret are decided together; a trigger without a key
 * forms its own group. The name of the group includes the secret: a sender with a valid secret must not share the
 * outcome of a sender whose secret has been replaced. At most one of two secrets belongs to the flow, so the key is
 * still claimed only once.
 */
export function nameGroup(trigger: Trigger): string | Trigger {
  const { flowId, secretHash, idempotency } = trigger;
  if (idempotency === undefined) return trigger;
  return `${nameKey(flowId, idempotency.keyDigest)}:${secretHash?.toString('hex') ?? ''}`;
}
