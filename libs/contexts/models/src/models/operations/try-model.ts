import { classifyFailure, postJson, readProviderError, type ProviderPools } from '@steward/egress';
import type { ServedModel } from '../ai-model.ts';
import { buildTrialCall } from '../rules/trial-call.ts';

const TIMEOUT_MS = 30_000;
/** Maximum number of bytes read from the response. */
const MAX_BYTES = 256 * 1024;

export interface TrialOutcome {
  readonly ok: boolean;
  readonly latencyMs: number;
  /** Message written by Steward: it contains no key, and at most a short code from the provider's message. */
  readonly error: string | null;
}

/** Makes a call to a model for a few tokens (MOD-14), without retries, fallbacks or a usage row. Never rejects. */
export async function tryModel(
  pools: Pick<ProviderPools, 'choose'>,
  model: ServedModel,
  signal: AbortSignal,
): Promise<TrialOutcome> {
  const startedAt = performance.now();
  const error = await findError(pools, model, signal);
  return { ok: error === null, latencyMs: Math.round(performance.now() - startedAt), error };
}

async function findError(
  pools: Pick<ProviderPools, 'choose'>,
  model: ServedModel,
  signal: AbortSignal,
): Promise<string | null> {
  const call = buildTrialCall(model);
  const dispatcher = pools.choose(new URL(call.url));
  if (dispatcher === undefined) return 'the address is not https';
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const either = AbortSignal.any([deadline, signal]);
    const { status, body, fault } = await postJson({ ...call, dispatcher, signal: either, maxBytes: MAX_BYTES });
    if (status >= 200 && status < 300) return fault ?? null;
    if (status < 400) return `HTTP ${status}: redirects are not followed`;
    const { code } = readProviderError(body.toString(), model.apiKey);
    return `HTTP ${status}${code === undefined ? '' : ` (${code})`}`;
  } catch (error) {
    return deadline.aborted ? `no response within ${TIMEOUT_MS / 1000} s` : classifyFailure(error).error;
  }
}
