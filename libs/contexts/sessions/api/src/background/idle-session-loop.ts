import type { Clock } from '@steward/async';
import { beginTrace, describeTrace } from '@steward/crypto';
import { transact, type AnyDatabase, type HintPublisher } from '@steward/database';
import type { Component, Logger } from '@steward/process';
import { endIdleSessions } from '@steward/sessions';

export interface IdleSessionLoopOptions {
  readonly intervalMs: number;
  /** Maximum number of sessions ended per transaction. */
  readonly batchSize: number;
}

/**
 * The default interval is short enough for a timeout of one minute. Such frequent passes cost little, because a pass
 * that finds nothing only reads a partial index.
 */
const DEFAULTS: IdleSessionLoopOptions = { intervalMs: 20_000, batchSize: 100 };

export interface IdleSessionDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly settings: { readonly sessionIdleTimeoutMinutes: number; readonly webhookMaxPendingPerAccount: number };
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Creates the loop that ends sessions with reason `idle` after `RUNTIME_SESSION_IDLE_TIMEOUT_MINUTES` without activity;
 * if the setting is 0, the loop ends no sessions. Every gateway process may run this loop: a batch skips rows locked by
 * another process, so each session ends only once.
 */
export function createIdleSessionLoop(deps: IdleSessionDeps, options: IdleSessionLoopOptions = DEFAULTS): Component {
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

/** Ends idle sessions in batches until none is left. A failure is logged, and the next pass tries again. */
async function runPass(deps: IdleSessionDeps, { timeoutMinutes, batchSize, isStopped }: Pass): Promise<void> {
  const traced = { ...deps, traceparent: beginTrace() };
  const logger = deps.logger.child(describeTrace(traced.traceparent));
  const eventOptions = { maxPendingPerAccount: deps.settings.webhookMaxPendingPerAccount };
  let ended = 0;
  try {
    let isDone = false;
    while (!isDone && !isStopped()) {
      const input = { timeoutMinutes, now: deps.clock.now(), limit: batchSize };
      const sessions = await transact(traced, (trx, hints) => endIdleSessions(trx, hints, input, eventOptions));
      ended += sessions.length;
      isDone = sessions.length < batchSize;
    }
    if (ended > 0) logger.info('sessions.idle_ended', { ended });
  } catch (error) {
    logger.error('sessions.idle_pass_failed', { ended, error });
  }
}
