/**
 * Returns the result of the work, or throws the reason of the signal as soon as the signal is aborted. The work
 * continues either way.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const left = Promise.withResolvers<never>();
  const leave = (): void => left.reject(signal.reason as Error);
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([left.promise, work]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
