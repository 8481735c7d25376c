import { defineRoute, pageOf, readIdPage, toIdPage, type Route } from '@steward/http';
import { findTracker, listTrackers } from '@steward/trackers';
import { requireFound } from '@steward/api';
import { TrackerAnswer, TrackerParams, TrackerQuery } from './tracker-schemas.ts';
import { presentTracker, type TrackersDeps } from './trackers-deps.ts';

export function createListTrackersRoute({ db }: Pick<TrackersDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'listTrackers',
    method: 'get',
    path: '/api/v1/trackers',
    permissions: ['view_trackers'],
    summary: 'List the connections to trackers, newest first.',
    query: TrackerQuery,
    responses: { 200: { description: 'A page of connections.', name: 'Tracker', schema: pageOf(TrackerAnswer) } },
    handler: async ({ query, principal: { accountId } }) => {
      const page = readIdPage(query);
      const found = await listTrackers(db, { accountId, ...page });
      return { status: 200, body: toIdPage(found, page.limit, presentTracker) };
    },
  });
}

export function createReadTrackerRoute({ db }: Pick<TrackersDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'readTracker',
    method: 'get',
    path: '/api/v1/trackers/{tracker_id}',
    permissions: ['view_trackers'],
    summary: 'Read a connection to a tracker.',
    params: TrackerParams,
    responses: { 200: { description: 'The connection.', name: 'Tracker', schema: TrackerAnswer } },
    handler: async ({ params, principal: { accountId } }) => {
      const tracker = requireFound(await findTracker(db, { accountId, id: params.tracker_id }));
      return { status: 200, body: presentTracker(tracker) };
    },
  });
}
