import { AppError } from '@steward/contracts';

/** Lets so many bytes of bodies into the process at once; who finds no room waits with its body unread. */
export interface BodyRoom {
  /** @returns gives the room back. @throws unavailable when there was none for long */
  enter(sizeBytes: number, client: AbortSignal): Promise<() => void>;
}

export interface BodyRoomOptions {
  readonly sizeBytes: number;
  readonly patienceMs: number;
}

/** Before a sender's time for its request is over (60 s). */
const DEFAULTS: BodyRoomOptions = { sizeBytes: 256 * 1024 * 1024, patienceMs: 45_000 };
/** Below it a body costs less than what its connection does. */
const SMALL_BYTES = 64 * 1024;

/** First come, first served: a small body does not overtake a large one, which would never get in. */
export function createBodyRoom({ sizeBytes: room, patienceMs }: BodyRoomOptions = DEFAULTS): BodyRoom {
  let taken = 0;
  const waiting = new Set<{ readonly size: number; readonly letIn: () => void }>();

  function letIn(): void {
    for (const next of waiting) {
      // One that is larger than the room is alone in it.
      if (taken > 0 && taken + next.size > room) return;
      waiting.delete(next);
      next.letIn();
    }
  }

  return {
    enter(size, client) {
      if (size <= SMALL_BYTES) return Promise.resolve(() => undefined);
      return new Promise((resolve, reject) => {
        const giveUp = (): void => {
          waiting.delete(waiter);
          clearTimeout(timer);
          const message = 'Too many large bodies are under way. Try again in a moment.';
          reject(new AppError('unavailable', { message, retryAfterSeconds: 5 }));
        };
        const timer = setTimeout(giveUp, patienceMs).unref();
        const waiter = {
          size,
          letIn(): void {
            clearTimeout(timer);
            client.removeEventListener('abort', giveUp);
            taken += size;
            let isIn = true;
            resolve(() => {
              if (isIn) taken -= size;
              isIn = false;
              letIn();
            });
          },
        };
        client.addEventListener('abort', giveUp, { once: true });
        waiting.add(waiter);
        letIn();
      });
    },
  };
}
