import { AppError } from '@steward/contracts';

/** A body in the room. */
export interface BodyPlace {
  /** How large it turned out to be, which may be less than was set aside for it. */
  settle(sizeBytes: number): void;
  /** Gives the place back, once. */
  leave(): void;
}

/** Lets so many bytes of bodies into the process at once; who finds no room waits with its body unread. */
export interface BodyRoom {
  /** @throws unavailable when there was none for long */
  enter(body: { readonly accountId: string; readonly sizeBytes: number }, client: AbortSignal): Promise<BodyPlace>;
}

export interface BodyRoomOptions {
  readonly sizeBytes: number;
  readonly patienceMs: number;
}

/** Before a sender's time for its request is over (60 s). */
const DEFAULTS: BodyRoomOptions = { sizeBytes: 256 * 1024 * 1024, patienceMs: 45_000 };
/** Below it a body costs less than what its connection does. */
const SMALL_BYTES = 64 * 1024;
/** Maximum share of the memory for the bodies of one account, so that other accounts always get some. */
const SHARE_OF_AN_ACCOUNT = 0.5;
const NO_PLACE: BodyPlace = { settle: () => undefined, leave: () => undefined };

interface Waiter {
  readonly accountId: string;
  readonly size: number;
  readonly letIn: () => void;
}

/**
 * First come, first served, but for accounts that have their share, which others pass by: a small body does not overtake a large one of its
 * account, which would never get in.
 */
export function createBodyRoom({ sizeBytes: room, patienceMs }: BodyRoomOptions = DEFAULTS): BodyRoom {
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
      // One that is larger than all it may have is the only one there.
      if (own > 0 && own + next.size > room * SHARE_OF_AN_ACCOUNT) full.add(next.accountId);
      if (full.has(next.accountId)) continue;
      if (taken > 0 && taken + next.size > room) return;
      waiting.delete(next);
      next.letIn();
    }
  }

  function openPlace(accountId: string, sizeBytes: number): BodyPlace {
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
      if (size <= SMALL_BYTES) return Promise.resolve(NO_PLACE);
      return new Promise((resolve, reject) => {
        const giveUp = (): void => {
          waiting.delete(waiter);
          clearTimeout(timer);
          const message = 'Too many large bodies are being processed. Try again in a moment.';
          reject(new AppError('unavailable', { message, retryAfterSeconds: 5 }));
        };
        const timer = setTimeout(giveUp, patienceMs).unref();
        const waiter = {
          accountId,
          size,
          letIn(): void {
            clearTimeout(timer);
            client.removeEventListener('abort', giveUp);
            resolve(openPlace(accountId, size));
          },
        };
        client.addEventListener('abort', giveUp, { once: true });
        waiting.add(waiter);
        letIn();
      });
    },
  };
}
