import { guessWritten, type CallOutcome, type CallUsage } from '@steward/model-calls';

/** Final statuses of a response. */
const FINAL: ReadonlySet<string> = new Set(['completed', 'incomplete', 'failed', 'cancelled']);

export function isFinal(status: string | undefined): status is string {
  return status !== undefined && FINAL.has(status);
}

export interface FinalResponse {
  readonly status: string;
  readonly usage: CallUsage;
  /** Time since it was begun. */
  readonly durationMs: number;
  /** Reserved number. */
  readonly heldOutputTokens: number;
}

/** Outcome of a call by the final state of its response. */
export function describeFinal({ status, usage, ...rest }: FinalResponse): Omit<CallOutcome, 'firstByteMs'> {
  if (status === 'cancelled') return { status: 'aborted', errorClass: null, usage: countCancelled({ usage, ...rest }) };
  return status === 'failed'
    ? { status: 'error', errorClass: 'provider_error', usage }
    : { status: 'ok', errorClass: null, usage };
}

/**
 * Providers bill cancelled responses, or report nothing: then the number of tokens that could be written until then is
 * assumed.
 */
function countCancelled({ usage, durationMs, heldOutputTokens }: Omit<FinalResponse, 'status'>): CallUsage {
  if (usage.source === 'provider') return usage;
  const outputTokens = Math.min(heldOutputTokens, guessWritten(durationMs));
  return { counts: { ...usage.counts, outputTokens }, source: 'estimated' };
}
