import { AppError } from '@steward/contracts';

export interface HashQueue {
  /**
   * Runs `job` when its turn comes.
   * @param sender - key of the sender whose share of the queue the job uses
   * @throws rate_limited if the sender's share is used up, unavailable if the queue is full
   */
  run<T>(sender: string, job: () => Promise<T>): Promise<T>;
}

export interface HashQueueOptions {
  readonly maxRunning: number;
  readonly maxWaiting: number;
  readonly maxWaitingPerSender: number;
}

const RETRY_AFTER_SECONDS = 2;

/**
 * Creates a bounded queue that serves senders round-robin: a flood from one address delays a legitimate login by one or
 * two hashes, not by the whole flood, and cannot fill the queue.
 */
export function createHashQueue(options: HashQueueOptions): HashQueue {
  // A Map retains insertion order: the sender served last is moved to the end.
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;
  let waitingCount = 0;

  function waitForTurn(sender: string): Promise<void> {
    const share = waiting.get(sender) ?? [];
    const crowd = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    if (share.length >= options.maxWaitingPerSender)
      throw new AppError('rate_limited', { message: 'Too many simultaneous logins from this address.', ...crowd });
    if (waitingCount >= options.maxWaiting)
      throw new AppError('unavailable', { message: 'Too many simultaneous logins.', ...crowd });
    waiting.set(sender, share);
    waitingCount += 1;
    return new Promise((resolve) => share.push(resolve));
  }

  function startNext(): void {
    const [sender, share] = waiting.entries().next().value ?? [];
    const start = share?.shift();
    if (sender === undefined || share === undefined || start === undefined) {
      running -= 1;
      return;
    }
    waitingCount -= 1;
    waiting.delete(sender);
    if (share.length > 0) waiting.set(sender, share);
    // The slot is passed directly to the next job in line, so that no new caller can take it.
    start();
  }

  return {
    async run(sender, job) {
      if (running < options.maxRunning) running += 1;
      else await waitForTurn(sender);
      try {
        return await job();
      } finally {
        startNext();
      }
    },
  };
}
