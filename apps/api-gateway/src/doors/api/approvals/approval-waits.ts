import type { AnyDatabase } from '@steward/database';
import type { Component, Logger } from '@steward/process';
import { findResolved } from '@steward/slice-approvals';

/** Callers of this process that wait for a request to be decided, by whichever process. */
export interface ApprovalWaits extends Component {
  /** Returns when the request is decided, the time is over, the client has gone or the process stops: whoever waited reads. */
  wait(requestId: string, seconds: number, signal: AbortSignal): Promise<void>;
  /** Decided in this process: whoever waits here need not wait for the next look. */
  wake(requestId: string): void;
}

/** One look for everybody who waits, however many; none while nobody does. */
const POLL_MS = 500;

export function createApprovalWaits({
  db,
  logger,
}: {
  readonly db: AnyDatabase;
  readonly logger: Logger;
}): ApprovalWaits {
  const waiting = new Map<string, Set<() => void>>();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const wake = (requestId: string): void => {
    for (const end of [...(waiting.get(requestId) ?? [])]) end();
  };
  async function look(): Promise<void> {
    try {
      for (const id of await findResolved(db, [...waiting.keys()])) wake(id);
    } catch (error) {
      logger.warn('approvals.wait_failed', { error });
    }
    timer = undefined;
    schedule();
  }
  function schedule(): void {
    if (timer !== undefined || waiting.size === 0 || isStopped) return;
    timer = setTimeout(() => void look(), POLL_MS);
  }
  return {
    name: 'approval waits',
    start: () => Promise.resolve(),
    stop() {
      isStopped = true;
      clearTimeout(timer);
      for (const id of [...waiting.keys()]) wake(id);
      return Promise.resolve();
    },
    wake,
    wait(requestId, seconds, signal) {
      if (isStopped || seconds <= 0 || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const others = waiting.get(requestId) ?? new Set();
        const end = (): void => {
          clearTimeout(limit);
          signal.removeEventListener('abort', end);
          others.delete(end);
          if (others.size === 0) waiting.delete(requestId);
          resolve();
        };
        const limit = setTimeout(end, seconds * 1000);
        signal.addEventListener('abort', end, { once: true });
        waiting.set(requestId, others.add(end));
        schedule();
      });
    },
  };
}
