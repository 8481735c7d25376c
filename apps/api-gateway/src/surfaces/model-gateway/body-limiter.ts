import { AppError } from '@steward/contracts';

/** Permission to read a body, with its reserved memory. */
export interface BodyPermit {
  /** Sets the actual size, which may be smaller than the reserved one. */
  settle(sizeBytes: number): void;
  /** Releases the permit, once. */
  leave(): void;
}

/** Limits the memory for bodies in the process; if it is used up, a request waits with its body unread. */
export interface BodyLimiter {
  /** @throws unavailable if the memory does not become free in time, or the client disconnects */
  enter(body: { readonly accountId: string; readonly sizeBytes: number }, client: AbortSignal): Promise<BodyPermit>;
}

export interface BodyLimiterOptions {
  readonly sizeBytes: number;
  readonly timeoutMs: number;
}

/** Memory for bodies, and maximum waiting time, which is less than the time limit of a client's request (60 s). */
const DEFAULTS: BodyLimiterOptions = { sizeBytes: 256 * 1024 * 1024, timeoutMs: 45_000 };
/** Size up to which a body needs no permit, because it takes less memory than its connection. */
const SMALL_BYTES = 64 * 1024;
/** Maximum share of the memory for the bodies of one account, so that no account can use all of it. */
const SHARE_OF_AN_ACCOUNT = 0.5;
const NO_PERMIT: BodyPermit = { settle: () => undefined, leave: () => undefined };

interface Waiter {
  readonly accountId: string;
  readonly size: number;
  readonly letIn: () => void;
}

/**
 * Creates a limiter that admits bodies in the order of their requests. Only the bodies of accounts that have used up
 * their share are overtaken by bodies of other accounts. Within an account, a small body does not overtake a large one,
 * which might otherwise never be admitted.
 */
export function createBodyLimiter({ sizeBytes: room, timeoutMs }: BodyLimiterOptions = DEFAULTS): BodyLimiter {
  let taken = 0;
  const ofAccount = new Map<string, number>();
  const waiting = new Set<Waiter>();

  function take(accountId: string, bytes: number): void {
    taken += bytes;
    const left = (ofAccount.get(accountId) ?? 0) + bytes;
    if (left === 0) ofAccount.delete(accountId);
    else ofAccount.set(accountId, left);
  }

  function letIn(): void {
    const full = new Set<string>();
    for (const next of waiting) {
      const own = ofAccount.get(next.accountId) ?? 0;
      // A body larger than the share is admitted if it is the only one of its account.
      if (own > 0 && own + next.size > room * SHARE_OF_AN_ACCOUNT) full.add(next.accountId);
      if (full.has(next.accountId)) continue;
      if (taken > 0 && taken + next.size > room) return;
      waiting.delete(next);
      next.letIn();
    }
  }

  function openPermit(accountId: string, sizeBytes: number): BodyPermit {
    let held = sizeBytes;
    take(accountId, held);
    const settle = (size: number): void => {
      if (size >= held) return;
      take(accountId, size - held);
      held = size;
      letIn();
    };
    return { settle, leave: () => settle(0) };
  }

  return {
    enter({ accountId, sizeBytes: size }, client) {
      if (size <= SMALL_BYTES) return Promise.resolve(NO_PERMIT);
      return new Promise((resolve, reject) => {
        const giveUp = (): void => {
          waiting.delete(waiter);
          clearTimeout(timer);
          const message = 'Too many large bodies are being processed. Try again in a moment.';
          reject(new AppError('unavailable', { message, retryAfterSeconds: 5 }));
        };
        const timer = setTimeout(giveUp, timeoutMs).unref();
        const waiter = {
          accountId,
          size,
          letIn(): void {
            clearTimeout(timer);
            client.removeEventListener('abort', giveUp);
            resolve(openPermit(accountId, size));
          },
        };
        client.addEventListener('abort', giveUp, { once: true });
        waiting.add(waiter);
        letIn();
      });
    },
  };
}
