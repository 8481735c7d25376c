import type { IncomingHttpHeaders } from 'node:http';

/** Lets few large bodies be read and worked on at once; small ones pass. */
export interface LargeBodyGate {
  run<T>(headers: IncomingHttpHeaders, work: () => Promise<T>): Promise<T>;
}

export interface LargeBodyGateOptions {
  readonly places: number;
  /** Whoever waited this long goes on without a place: slow senders must not close the gate for others. */
  readonly patienceMs: number;
}

/** Below it a body costs less than the wait would. */
const LARGE_BYTES = 64 * 1024;

/**
 * A body being worked on is there several times over: bytes as they came, joined, as text, parsed, decoded, in the
 * statement. One that waits unread is in the network’s buffers. Five rounds of twenty requests of 1 MiB at once cost 143 MB
 * without it and 85 MB with it, the first round 55 MB.
 */
export function createLargeBodyGate(options: LargeBodyGateOptions): LargeBodyGate {
  const waiting = new Set<(hasPlace: boolean) => void>();
  let used = 0;

  async function enter(): Promise<boolean> {
    if (used < options.places) {
      used += 1;
      return true;
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => go(false), options.patienceMs);
      const go = (hasPlace: boolean): void => {
        waiting.delete(go);
        clearTimeout(timer);
        resolve(hasPlace);
      };
      waiting.add(go);
    });
  }

  function leave(): void {
    const [next] = waiting;
    // The place is handed on: nobody who comes later can take it first.
    if (next === undefined) used -= 1;
    else next(true);
  }

  return {
    async run(headers, work) {
      if (isSmall(headers)) return work();
      const hasPlace = await enter();
      try {
        return await work();
      } finally {
        if (hasPlace) leave();
      }
    },
  };
}

/** As declared; a body without a length, or a compressed one, may be of any size. */
function isSmall(headers: IncomingHttpHeaders): boolean {
  const { 'content-length': length, 'content-encoding': encoding = 'identity' } = headers;
  return length !== undefined && encoding === 'identity' && Number(length) <= LARGE_BYTES;
}
