/** Ends a call when its client disconnects or its timeout expires. */
export interface CallSignal {
  readonly signal: AbortSignal;
  readonly isOverTime: () => boolean;
  /** Has to be called when the call has ended; otherwise, a timer of one hour would keep the whole call in memory. */
  readonly release: () => void;
}

export function createCallSignal(client: AbortSignal, timeoutMs: number): CallSignal {
  const controller = new AbortController();
  let isOverTime = false;
  const leave = (): void => controller.abort(client.reason);
  const timer = setTimeout(() => {
    isOverTime = true;
    controller.abort(new Error('the call took too long'));
  }, timeoutMs).unref();
  client.addEventListener('abort', leave, { once: true });
  if (client.aborted) leave();
  return {
    signal: controller.signal,
    isOverTime: () => isOverTime,
    release: () => {
      clearTimeout(timer);
      client.removeEventListener('abort', leave);
    },
  };
}
