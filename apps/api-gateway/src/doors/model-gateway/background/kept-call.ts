import type { Principal } from '@steward/contracts';
import type { HeldModel } from '../booking/call-record.ts';
import type { CallHead } from '../booking/call-facts.ts';
import type { LostAttempt } from '../booking/lost-attempts.ts';

/** By what the tokens of a response are estimated that nobody counts. */
export interface KeptSizes {
  readonly inputBytes: number;
  /** `Infinity` where nobody says. */
  readonly mostOutputTokens: number;
  /** What it was held by. */
  readonly heldOutputTokens: number;
}

/** What the row of a call is made of that ends in whichever process sees its end. */
export interface KeptCall {
  readonly head: CallHead;
  readonly model: HeldModel;
  readonly lost: readonly LostAttempt[];
  readonly sizes: KeptSizes;
  readonly principal: Pick<Principal, 'accountId' | 'apiKeyId'>;
  readonly sessionId: string | null;
  readonly traceparent: string;
}

/** As JSON, which has no `Infinity` and no times. */
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
