import type { AnyDatabase } from '@steward/database';
import type { Component, Logger } from '@steward/process';
import { extendRuns } from '@steward/approvals';

/**
 * Leases of the approved calls that this process is making: while the lease of a call is valid, no other process
 * considers the call lost.
 */
export interface RunLeases extends Component {
  /** Makes the approved call of a request (`work`), and extends its lease until the call has ended. */
  hold<T>(requestId: string, work: () => Promise<T>): Promise<T>;
}

/** Interval of extensions: a third of the duration of a lease. */
const EXTEND_EVERY_MS = 10_000;

export function createRunLeases({ db, logger }: { readonly db: AnyDatabase; readonly logger: Logger }): RunLeases {
  const running = new Map<string, Promise<unknown>>();
  let timer: NodeJS.Timeout | undefined;
  async function extend(): Promise<void> {
    try {
      await extendRuns(db, [...running.keys()]);
    } catch (error) {
      logger.warn('mcp.lease_not_extended', { error });
    }
    timer = undefined;
    schedule();
  }
  function schedule(): void {
    if (timer !== undefined || running.size === 0) return;
    timer = setTimeout(() => void extend(), EXTEND_EVERY_MS);
  }
  return {
    name: 'approved calls',
    start: () => Promise.resolve(),
    async stop() {
      await Promise.allSettled(running.values());
      clearTimeout(timer);
    },
    async hold(requestId, work) {
      const done = work();
      running.set(requestId, done);
      schedule();
      try {
        return await done;
      } finally {
        running.delete(requestId);
        if (running.size === 0) {
          clearTimeout(timer);
          timer = undefined;
        }
      }
    },
  };
}
