import { tagRoutes } from '@steward/http';
import type { Module } from '@steward/api';
import { createDeleteTrackerRoute } from './delete-tracker.ts';
import { createListTrackersRoute, createReadTrackerRoute } from './read-trackers.ts';
import { createCreateTrackerRoute, createUpdateTrackerRoute } from './save-trackers.ts';
import { createTestTrackerRoute } from './test-tracker.ts';
import type { TrialDeps } from './trackers-deps.ts';

/** Creates the routes for connections to trackers. */
export function createTrackersModule(deps: TrialDeps): Module {
  const routes = tagRoutes('trackers', [
    createCreateTrackerRoute(deps),
    createListTrackersRoute(deps),
    createReadTrackerRoute(deps),
    createUpdateTrackerRoute(deps),
    createDeleteTrackerRoute(deps),
    createTestTrackerRoute(deps),
  ]);
  return { routes, components: [] };
}
