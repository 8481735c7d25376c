import { createBackgroundTask, type Component, type Logger } from '@steward/process';
import { claimDueServer } from '@steward/slice-tool-servers';
import { refreshTools } from './refresh-tools.ts';
import type { RefreshDeps } from './tool-servers-deps.ts';

/** A look at an index: a server that was saved is asked within this time. */
const EVERY_SECONDS = 1;
/** A server is asked again after that. */
const REFRESH_SECONDS = 300;
/** One that does not answer holds up none but its own place. */
const AT_ONCE = 8;

/** Asks the servers of all accounts for their tools, in every process with the API: each is claimed. */
export function createRefreshLoop(deps: RefreshDeps & { readonly logger: Logger }): Component {
  const asking = new Set<Promise<void>>();
  const task = createBackgroundTask({
    name: 'tools of servers',
    everySeconds: EVERY_SECONDS,
    logger: deps.logger,
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
