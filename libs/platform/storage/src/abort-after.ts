/**
 * Returns a signal that is aborted `graceMs` milliseconds after the given one, for work that may still finish within
 * this time.
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
