/** Aborts some time after the other signal did: for work that may still end well, but not for long. */
export function abortAfter(signal: AbortSignal, graceMs: number): AbortSignal {
  const controller = new AbortController();
  const begin = (): void => {
    setTimeout(() => controller.abort(signal.reason), graceMs).unref();
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return controller.signal;
}
