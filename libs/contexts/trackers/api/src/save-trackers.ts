import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { createTracker, updateTracker } from '@steward/trackers';
import { CreateTrackerBody, TrackerAnswer, TrackerParams, UpdateTrackerBody } from './tracker-schemas.ts';
import {
  describeTrackerChange,
  prepareTrackerSave,
  presentTracker,
  refuseTrackerName,
  type TrackersDeps,
} from './trackers-deps.ts';

export function createCreateTrackerRoute(deps: TrackersDeps): Route {
  return defineRoute({
    operationId: 'createTracker',
    method: 'post',
    path: '/api/v1/trackers',
    permissions: ['manage_trackers'],
    summary: 'Connect a tracker.',
    body: CreateTrackerBody,
    bodyExample: { name: 'shop', kind: 'github', token: 'a token of the tracker', repositories: ['acme/shop'] },
    responses: { 201: { description: 'The connection.', name: 'Tracker', schema: TrackerAnswer } },
    audit: { resourceType: 'tracker' },
    handler: async ({ body, principal: { accountId }, audit }) => {
      const { kind, ...rest } = body;
      const prepared = await prepareTrackerSave(deps, rest);
      const tracker = await transact(deps, async (trx) => {
        const outcome = await createTracker(trx, { accountId, kind, ...prepared }, deps.secretBoxes.tracker);
        if (outcome.kind === 'name_taken') throw refuseTrackerName();
        await recordAudit(trx, audit({ resourceId: outcome.tracker.id, details: describeTrackerChange(body) }));
        return outcome.tracker;
      });
      return { status: 201, body: presentTracker(tracker) };
    },
  });
}

export function createUpdateTrackerRoute(deps: TrackersDeps): Route {
  return defineRoute({
    operationId: 'updateTracker',
    method: 'patch',
    path: '/api/v1/trackers/{tracker_id}',
    permissions: ['manage_trackers'],
    summary: 'Update a connection to a tracker; omitted fields keep their values.',
    description:
      'If base_url is changed to another server, the token must be sent again. If a webhook could not be registered or removed, another attempt is made with the new settings.',
    params: TrackerParams,
    body: UpdateTrackerBody,
    bodyExample: { repositories: ['acme/shop', 'acme/site'] },
    responses: { 200: { description: 'The connection.', name: 'Tracker', schema: TrackerAnswer } },
    audit: { resourceType: 'tracker' },
    handler: async ({ params, body, principal: { accountId }, audit }) => {
      const id = params.tracker_id;
      const prepared = await prepareTrackerSave(deps, body);
      const tracker = await transact(deps, async (trx) => {
        const outcome = await updateTracker(trx, { accountId, id, ...prepared }, deps.secretBoxes.tracker);
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        if (outcome.kind === 'name_taken') throw refuseTrackerName();
        await recordAudit(trx, audit({ resourceId: id, details: describeTrackerChange(body) }));
        return outcome.tracker;
      });
      return { status: 200, body: presentTracker(tracker) };
    },
  });
}
