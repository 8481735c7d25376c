import { guessWritten, type CallOutcome, type CallUsage } from '@steward/model-calls';

/** Final statuses of a response. */
const FINAL: ReadonlySet<string> = new Set(['completed', 'incomplete', 'failed', 'cancelled']);

export function isFinal(status: string | undefined): status is string {
  return status !== undefined && FINAL.has(status);
}

export interface FinalResponse {
  readonly status: string;
  readonly usage: CallUsage;
  /** Time since the response was started. */
  readonly durationMs: number;
  /** Reserved number of tokens. */
  readonly heldOutputTokens: number;
}

/** Returns the outcome of a call, depending on the final status of its response. */
export function describeFinal({ status, usage, ...rest }: FinalResponse): Omit<CallOutcome, 'firstByteMs'> {
  if (status === 'cancelled') return { status: 'aborted', errorClass: null, usage: countCancelled({ usage, ...rest }) };
  return status === 'failed'
    ? { status: 'error', errorClass: 'provider_error', usage }
    : { status: 'ok', errorClass: null, usage };
}

/**
 * Returns the usage of a cancelled response. Providers bill a cancelled response, but may report no usage. In that
 * case, the number of tokens that could have been written until the cancellation is assumed.
 */
function countCancelled({ usage, durationMs, heldOutputTokens }: Omit<FinalResponse, 'status'>): CallUsage {
  if (usage.source === 'provider') return usage;
  const outputTokens = Math.min(heldOutputTokens, guessWritten(durationMs));
  return { counts: { ...usage.counts, outputTokens }, source: 'estimated' };
}
