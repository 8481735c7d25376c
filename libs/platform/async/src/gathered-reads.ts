/**
 * Handles the requests of many callers with one read. No caller gets data that was read before its request: callers
 * during a read share a later one, and callers with the same name share one result.
 */
export type GatheredReads<Key, T> = (name: string, key: Key) => Promise<T>;

export interface GatheredReadsOptions<Key, T> {
  /**
   * Returns the results of all keys, in their order. A late result does not delay the others. If the read fails, each
   * caller gets the error.
   */
  readonly read: (keys: readonly Key[]) => Promise<readonly (T | Promise<T>)[]>;
  readonly maxKeys: number;
  /**
   * Maximum number of reads that run at the same time. Callers that arrive while that many are running wait, and are
   * served together.
   */
  readonly maxReads: number;
  /**
   * Number of waiting callers at which a read begins immediately, so that it runs while the event loop processes the
   * other requests that have arrived.
   */
  readonly enoughCallers: number;
  /** Time in milliseconds after which a read is slow, and no longer delays other callers. */
  readonly slowMs: number;
}

interface Waiting<Key, T> {
  readonly key: Key;
  readonly answer: PromiseWithResolvers<T>;
}

export function createGatheredReads<Key, T>(options: GatheredReadsOptions<Key, T>): GatheredReads<Key, T> {
  const { read, maxKeys, maxReads, enoughCallers, slowMs } = options;
  const waiting = new Map<string, Waiting<Key, T>>();
  let running = 0;
  let callers = 0;
  let planned: NodeJS.Immediate | undefined;

  /** Begins a read when the event loop has processed the requests that already arrived, or when enough callers wait. */
  function plan(): void {
    if (waiting.size === 0 || running >= maxReads) return;
    if (callers >= enoughCallers) {
      clearImmediate(planned);
      void readWaiting();
    } else planned ??= setImmediate(() => void readWaiting());
  }

  function takeWaiting(): Waiting<Key, T>[] {
    const taken = [...waiting].slice(0, maxKeys);
    for (const [name] of taken) waiting.delete(name);
    return taken.map(([, one]) => one);
  }

  function enter(): () => void {
    running += 1;
    let isCounted = true;
    const leave = (): void => {
      clearTimeout(slow);
      if (!isCounted) return;
      isCounted = false;
      running -= 1;
      plan();
    };
    const slow = setTimeout(leave, slowMs).unref();
    return leave;
  }

  async function readWaiting(): Promise<void> {
    planned = undefined;
    callers = 0;
    const taken = takeWaiting();
    const leave = enter();
    plan();
    try {
      const answers = await read(taken.map(({ key }) => key));
      taken.forEach(({ answer }, index) => answer.resolve(answers[index] as T | Promise<T>));
    } catch (error) {
      for (const { answer } of taken) answer.reject(error);
    } finally {
      leave();
    }
  }

  return (name, key) => {
    const one = waiting.get(name) ?? { key, answer: Promise.withResolvers<T>() };
    waiting.set(name, one);
    callers += 1;
    plan();
    return one.answer.promise;
  };
}
