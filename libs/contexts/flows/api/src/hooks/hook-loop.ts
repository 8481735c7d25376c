import type { DueTasks } from '@steward/database';
import type { Component, Logger } from '@steward/process';
import { claimDueHook, DUE_HOOKS } from '@steward/trackers';
import type { HookDeps } from './hook-deps.ts';
import { HOOK_LEASE_SECONDS, performHook } from './perform-hook.ts';

/**
 * Maximum number of hooks that are processed at the same time: a tracker that does not respond does not delay all
 * others.
 */
const AT_ONCE = 4;

/**
 * Creates the task that registers and removes the hooks of all accounts. It runs in every process with the API, so
 * each hook is claimed first.
 */
export function createHookLoop(deps: HookDeps & { readonly logger: Logger; readonly dueTasks: DueTasks }): Component {
  const working = new Set<Promise<void>>();
  const task = deps.dueTasks.add({
    name: 'hooks of trackers',
    due: DUE_HOOKS,
    run: async (signal) => {
      while (!signal.aborted && working.size < AT_ONCE) {
        const hook = await claimDueHook(deps.db, HOOK_LEASE_SECONDS);
        if (hook === undefined) break;
        // A started registration or removal is always completed: otherwise a hook that the service does not know could
        // remain at the tracker.
        const work: Promise<void> = performHook(deps, hook)
          .catch((error: unknown) => deps.logger.error('tracker.hook_failed', { error }))
          .finally(() => working.delete(work));
        working.add(work);
      }
    },
  });
  return {
    ...task,
    async stop() {
      await task.stop?.();
      await Promise.all(working);
    },
  };
}
