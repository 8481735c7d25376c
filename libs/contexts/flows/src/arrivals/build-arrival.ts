import { newId } from '@steward/crypto';
import { toStorableJson } from '@steward/text';
import type { ArrivalOutcome, TriggerSource } from '../schema.ts';
import { MAX_KEPT_PAYLOAD_BYTES, type NewArrival } from './arrival.store.ts';

export interface ArrivalFacts {
  readonly flowId: string;
  readonly receivedAt: Date;
  readonly source: TriggerSource;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly outcome: ArrivalOutcome;
  readonly reason?: string | undefined;
  readonly executionId?: string | undefined;
  /** Id of the arrival that was resent. */
  readonly resentFrom?: string | undefined;
}

export function buildArrival(facts: ArrivalFacts): NewArrival {
  const payload = JSON.stringify(toStorableJson(facts.payload));
  return {
    id: newId(),
    flow_id: facts.flowId,
    received_at: facts.receivedAt,
    outcome: facts.outcome,
    reason: facts.reason === undefined ? null : toStorableJson(facts.reason),
    source: toStorableJson(facts.source),
    payload: Buffer.byteLength(payload) <= MAX_KEPT_PAYLOAD_BYTES ? payload : null,
    execution_id: facts.executionId ?? null,
    resent_from: facts.resentFrom ?? null,
  };
}
