import { guessWritten, type CallOutcome } from '../booking/call-facts.ts';
import type { CallUsage } from '../answers/usage-reader.ts';

/** A response that stands so changes no more. */
const FINAL: ReadonlySet<string> = new Set(['completed', 'incomplete', 'failed', 'cancelled']);

export function isFinal(status: string | undefined): status is string {
  return status !== undefined && FINAL.has(status);
}

export interface FinalResponse {
  readonly status: string;
  readonly usage: CallUsage;
  /** Since it was begun. */
  readonly durationMs: number;
  /** What it was held by. */
  readonly heldOutputTokens: number;
}

/** What became of a call by how its response stands at last. */
export function describeFinal({ status, usage, ...rest }: FinalResponse): Omit<CallOutcome, 'firstByteMs'> {
  if (status === 'cancelled') return { status: 'aborted', errorClass: null, usage: countCancelled({ usage, ...rest }) };
  return status === 'failed'
    ? { status: 'error', errorClass: 'provider_error', usage }
    : { status: 'ok', errorClass: null, usage };
}

/** Providers count what was cancelled, or say nothing of it: then it is what could be written until then. */
function countCancelled({ usage, durationMs, heldOutputTokens }: Omit<FinalResponse, 'status'>): CallUsage {
  if (usage.source === 'provider') return usage;
  const outputTokens = Math.min(heldOutputTokens, guessWritten(durationMs));
  return { counts: { ...usage.counts, outputTokens }, source: 'estimated' };
}
