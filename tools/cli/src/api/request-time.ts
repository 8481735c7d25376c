/** Ends a request when its timeout has elapsed, or when its caller requests it. */
export interface RequestTime {
  readonly signal: AbortSignal;
  /** Applies the timeout until the whole response has been read. */
  bind(response: Response): void;
  release(): void;
}

const releases = new WeakMap<Response, () => void>();

/**
 * Starts the timeout of a request. `AbortSignal.any` with a timeout keeps the request and its body in memory until the
 * timeout has elapsed: thousands of imports with three minutes each take 60 MB. This implementation releases them when
 * the response has been read.
 */
export function startRequestTime(caller: AbortSignal, timeoutMs: number): RequestTime {
  const ending = new AbortController();
  const abort = (): void => ending.abort(caller.reason);
  const timer = setTimeout(() => ending.abort(new DOMException('no response in time', 'TimeoutError')), timeoutMs);
  timer.unref();
  if (caller.aborted) abort();
  caller.addEventListener('abort', abort, { once: true });
  const release = (): void => {
    clearTimeout(timer);
    caller.removeEventListener('abort', abort);
  };
  return { signal: ending.signal, bind: (response) => void releases.set(response, release), release };
}

/** Ends the timeout; called when no more of the response will be read. */
export function endRequestTime(response: Response): void {
  releases.get(response)?.();
}
