import type { Principal } from '@steward/contracts';
import type { HeldModel } from '../booking/call-record.ts';
import type { CallHead } from '@steward/model-calls';
import type { LostAttempt } from '../booking/lost-attempts.ts';

/** Sizes for estimating the tokens of a response without counts. */
export interface KeptSizes {
  readonly inputBytes: number;
  /** Maximum number of output tokens; `Infinity` if unknown. */
  readonly mostOutputTokens: number;
  /** Reserved number of tokens. */
  readonly heldOutputTokens: number;
}

/** Data for the usage row of a call whose end any process may detect. */
export interface KeptCall {
  readonly head: CallHead;
  readonly model: HeldModel;
  readonly lost: readonly LostAttempt[];
  readonly sizes: KeptSizes;
  readonly principal: Pick<Principal, 'accountId' | 'apiKeyId'>;
  readonly sessionId: string | null;
  readonly traceparent: string;
}

/**
 * Returns the data in the form that is stored as JSON; `unpackCall` restores `Infinity` and the date, which JSON does
 * not have.
 */
export function packCall(call: KeptCall): object {
  return call;
}

export function unpackCall(packed: object): KeptCall {
  const call = packed as KeptCall;
  const { head, sizes, principal } = call;
  const mostOutputTokens = (sizes.mostOutputTokens as number | null) ?? Infinity;
  return {
    ...call,
    head: { ...head, occurredAt: new Date(head.occurredAt) },
    sizes: { ...sizes, mostOutputTokens },
    principal: { accountId: principal.accountId, apiKeyId: principal.apiKeyId },
  };
}
