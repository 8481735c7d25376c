import { tagRoutes } from '@steward/http';
import type { Logger } from '@steward/process';
import type { Module } from '../../module.ts';
import { createDeleteTrackerRoute } from './delete-tracker.ts';
import { createHookLoop } from './hook-loop.ts';
import { createListTrackersRoute, createReadTrackerRoute } from './read-trackers.ts';
import { createRegisterHookRoute } from './register-hook.ts';
import { createCreateTrackerRoute, createUpdateTrackerRoute } from './save-trackers.ts';
import { createTestTrackerRoute } from './test-tracker.ts';
import type { HookDeps, TrialDeps } from './trackers-deps.ts';

/** Connections to trackers, and the hooks of flows there. */
export function createTrackersModule(deps: TrialDeps & HookDeps & { readonly logger: Logger }): Module {
  const routes = [
    ...tagRoutes('trackers', [
      createCreateTrackerRoute(deps),
      createListTrackersRoute(deps),
      createReadTrackerRoute(deps),
      createUpdateTrackerRoute(deps),
      createDeleteTrackerRoute(deps),
      createTestTrackerRoute(deps),
    ]),
    ...tagRoutes('flows', [createRegisterHookRoute(deps)]),
  ];
  return { routes, components: [createHookLoop(deps)] };
}
