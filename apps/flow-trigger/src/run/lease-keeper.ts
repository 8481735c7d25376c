import type { AnyDatabase } from '@steward/database';
import type { Logger } from '@steward/process';
import { extendLease } from '@steward/flows';
import type { EndReason } from './run.ts';

export interface LeaseKeeper {
  stop(): void;
}

export interface LeaseKeeperDeps {
  readonly db: AnyDatabase;
  readonly logger: Logger;
}

/**
 * Extends the lease once per second, or three times per lease duration if this is more often; each extension also
 * reports whether the run has to stop. If the database is unavailable for a whole lease, the execution counts as lost:
 * another worker may have ended it.
 */
export function keepLease(
  deps: LeaseKeeperDeps,
  lease: { readonly executionId: string; readonly token: string; readonly leaseSeconds: number },
  end: (reason: EndReason) => void,
): LeaseKeeper {
  let heldUntil = Date.now() + lease.leaseSeconds * 1000;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const intervalMs = Math.min((lease.leaseSeconds * 1000) / 3, 1000);

  async function beat(): Promise<void> {
    const askedAt = Date.now();
    try {
      const answer = await extendLease(deps.db, lease);
      if (answer === 'lost') return end('lease_lost');
      heldUntil = askedAt + lease.leaseSeconds * 1000;
      if (answer === 'stop') end('stopped');
    } catch (error) {
      deps.logger.warn('execution.heartbeat_failed', { execution_id: lease.executionId, error });
      if (Date.now() > heldUntil) return end('lease_lost');
    }
    if (!isStopped) timer = setTimeout(() => void beat(), intervalMs);
  }
  timer = setTimeout(() => void beat(), intervalMs);
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
