import type { AnyDatabase } from '@steward/database';
import type { Component, Logger } from '@steward/process';
import { findResolved } from './store/approval-request.store.ts';

/** Callers of this process that wait for the decision about a request; any process may record this decision. */
export interface ApprovalWaits extends Component {
  /**
   * Resolves when the request is decided, the time limit is reached, the client disconnects or the process stops; the
   * caller then reads the request.
   */
  wait(requestId: string, seconds: number, signal: AbortSignal): Promise<void>;
  /** Wakes the callers that wait for a request, if the request is no longer pending. */
  wake(requestId: string): void;
}

/** Interval between queries; each query serves all waiting callers, and none runs while no caller waits. */
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

  const end = (requestId: string): void => {
    for (const endOne of [...(waiting.get(requestId) ?? [])]) endOne();
  };
  async function look(requestIds: readonly string[]): Promise<void> {
    try {
      for (const id of await findResolved(db, requestIds)) end(id);
    } catch (error) {
      logger.warn('approvals.wait_failed', { error });
    }
  }
  async function lookAtAll(): Promise<void> {
    await look([...waiting.keys()]);
    timer = undefined;
    schedule();
  }
  function schedule(): void {
    if (timer !== undefined || waiting.size === 0 || isStopped) return;
    timer = setTimeout(() => void lookAtAll(), POLL_MS);
  }
  return {
    name: 'approval waits',
    start: () => Promise.resolve(),
    stop() {
      isStopped = true;
      clearTimeout(timer);
      for (const id of [...waiting.keys()]) end(id);
      return Promise.resolve();
    },
    wake: (requestId) => void (waiting.has(requestId) && look([requestId])),
    wait(requestId, seconds, signal) {
      if (isStopped || seconds <= 0 || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const others = waiting.get(requestId) ?? new Set();
        const endOne = (): void => {
          clearTimeout(limit);
          signal.removeEventListener('abort', endOne);
          others.delete(endOne);
          if (others.size === 0) waiting.delete(requestId);
          resolve();
        };
        const limit = setTimeout(endOne, seconds * 1000);
        signal.addEventListener('abort', endOne, { once: true });
        waiting.set(requestId, others.add(endOne));
        schedule();
      });
    },
  };
}
