import { fetch } from 'undici';
import { describeExcess, type AnswerLimits } from './answer-limits.ts';
import { TargetBlockedError } from './guarded-connector.ts';
import { limitAnswer, type AnswerHooks } from './limit-answer.ts';
import type { ProviderPools } from './provider-pools.ts';

/**
 * Sends a request and reads the response within limits.
 * @throws AnswerLimitError, TargetBlockedError, and the errors of undici
 */
export type GuardedFetch = (
  input: string | URL,
  init: RequestInit | undefined,
  limits: AnswerLimits,
  hooks?: Omit<AnswerHooks, 'onEnd'>,
) => Promise<Response>;

/**
 * Creates a `fetch` function for a library that needs one. It uses `pools`, which check addresses when a connection is
 * opened. It does not follow redirects: a redirect is an error, or is returned unchanged with `redirect: 'manual'`.
 * `fetch` decompresses responses, but the limits of a pool apply to compressed bytes; therefore compressed responses
 * are rejected, and each byte is counted when it is read.
 */
export function createGuardedFetch(pools: Pick<ProviderPools, 'choose'>): GuardedFetch {
  return async (input, init = {}, limits, hooks) => {
    const url = new URL(input);
    const dispatcher = pools.choose(url);
    if (dispatcher === undefined) throw new TargetBlockedError('not https');
    const headers = new Headers(init.headers);
    headers.set('accept-encoding', 'identity');
    const deadline = new AbortController();
    const timer = setTimeout(() => {
      const late = describeExcess('time', limits);
      hooks?.onExcess?.(late);
      deadline.abort(late);
    }, limits.timeoutMs).unref();
    const signal = init.signal ? AbortSignal.any([deadline.signal, init.signal]) : deadline.signal;
    const redirect = init.redirect === 'manual' ? 'manual' : 'error';
    const request: unknown = { ...init, headers, signal, dispatcher, redirect };
    try {
      const answer = await fetch(url, request as Parameters<typeof fetch>[1]);
      const onEnd = (): void => clearTimeout(timer);
      return await limitAnswer(answer as unknown as Response, limits, { ...hooks, onEnd });
    } catch (error) {
      clearTimeout(timer);
      throw error;
    }
  };
}
