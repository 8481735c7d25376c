import type { DueTasks } from '@steward/database';
import type { Component, Logger } from '@steward/process';
import { claimDueServer, DUE_SERVERS } from '@steward/tool-servers';
import { refreshTools } from './refresh-tools.ts';
import type { RefreshDeps } from './tool-servers-deps.ts';

/** Interval in seconds between refreshes of a server. */
const REFRESH_SECONDS = 300;
/** Number of concurrent refreshes: a server that does not respond blocks only one slot. */
const AT_ONCE = 8;

/**
 * Creates the task that refreshes the tools of the servers of all accounts. The task can run in every process with the
 * API, because each server is claimed before its refresh.
 */
export function createRefreshLoop(
  deps: RefreshDeps & { readonly logger: Logger; readonly dueTasks: DueTasks },
): Component {
  const asking = new Set<Promise<void>>();
  const task = deps.dueTasks.add({
    name: 'refresh of tool servers',
    due: DUE_SERVERS,
    run: async (signal) => {
      while (!signal.aborted && asking.size < AT_ONCE) {
        const target = await claimDueServer(deps.db, REFRESH_SECONDS);
        if (target === undefined) break;
        const asked: Promise<void> = refreshTools(deps, target, signal)
          .catch((error: unknown) => deps.logger.error('tool_server.refresh_failed', { error }))
          .finally(() => asking.delete(asked));
        asking.add(asked);
      }
    },
  });
  return {
    ...task,
    async stop() {
      await task.stop?.();
      await Promise.all(asking);
    },
  };
}
