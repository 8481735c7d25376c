/**
 * Returns a signal that is aborted some time after the given one, for work that may still finish after the given
 * signal, but must not take long.
 */
export function abortAfter(signal: AbortSignal, graceMs: number): AbortSignal {
  const controller = new AbortController();
  const begin = (): void => {
    setTimeout(() => controller.abort(signal.reason), graceMs).unref();
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return controller.signal;
}
