import { tagRoutes, type Route } from '@steward/http';
import type { FlowDeps } from '../flow-deps.ts';
import type { TriggerDeps } from '../triggers/start-flow.ts';
import { createListDueTimesRoute } from './list-due-times.ts';
import { createListSchedulesRoute } from './list-schedules.ts';
import { createPauseScheduleRoute } from './pause-schedule.ts';
import { createPreviewScheduleRoute } from './preview-schedule.ts';
import { createReadScheduleRoute } from './read-schedule.ts';
import { createRunScheduleRoute } from './run-schedule.ts';

/** Creates the routes for the schedules of flows. */
export function createSchedulesRoutes(deps: TriggerDeps & Pick<FlowDeps, 'broker'>): Route[] {
  return tagRoutes('flow schedules', [
    createListSchedulesRoute(deps),
    createPreviewScheduleRoute(deps),
    createReadScheduleRoute(deps),
    createListDueTimesRoute(deps),
    createPauseScheduleRoute(deps, 'pause'),
    createPauseScheduleRoute(deps, 'resume'),
    createRunScheduleRoute(deps),
  ]);
}
