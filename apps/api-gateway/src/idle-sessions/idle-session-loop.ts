import { transact } from '@steward/database';
import type { Component } from '@steward/runtime';
import { endIdleSessions } from '@steward/slice-gateway';
import type { GatewayDeps } from '../gateway-deps.ts';

export interface IdleSessionLoopOptions {
  readonly intervalMs: number;
  /** Sessions ended in one transaction. */
  readonly batchSize: number;
}

/** A pass that finds nothing is one look at a partial index, so it can run often enough for a timeout of one minute. */
const DEFAULTS: IdleSessionLoopOptions = { intervalMs: 20_000, batchSize: 100 };

type Deps = Pick<GatewayDeps, 'db' | 'broker' | 'settings' | 'clock' | 'logger'>;

/**
 * Ends sessions idle for `RUNTIME_SESSION_IDLE_TIMEOUT_MINUTES` with reason `idle` (0: never). Every gateway process may
 * run it: a batch skips the rows another process holds, and a session ends once.
 */
export function createIdleSessionLoop(deps: Deps, options: IdleSessionLoopOptions = DEFAULTS): Component {
  const timeoutMinutes = deps.settings.sessionIdleTimeoutMinutes;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;

  const schedule = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = runPass(deps, { timeoutMinutes, batchSize: options.batchSize, isStopped: () => isStopped }).finally(
        schedule,
      );
    }, options.intervalMs);
  };
  return {
    name: 'idle session loop',
    start() {
      if (timeoutMinutes > 0) schedule();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

interface Pass {
  readonly timeoutMinutes: number;
  readonly batchSize: number;
  readonly isStopped: () => boolean;
}

/** Ends batch after batch until none is left. A failure is logged and tried again by the next pass. */
async function runPass(deps: Deps, { timeoutMinutes, batchSize, isStopped }: Pass): Promise<void> {
  const eventOptions = { maxPendingPerAccount: deps.settings.webhookMaxPendingPerAccount };
  let ended = 0;
  try {
    let isDone = false;
    while (!isDone && !isStopped()) {
      const input = { timeoutMinutes, now: deps.clock.now(), limit: batchSize };
      const sessions = await transact(deps, (trx, hints) => endIdleSessions(trx, hints, input, eventOptions));
      ended += sessions.length;
      isDone = sessions.length < batchSize;
    }
    if (ended > 0) deps.logger.info('sessions.idle_ended', { ended });
  } catch (error) {
    deps.logger.error('sessions.idle_pass_failed', { ended, error });
  }
}
