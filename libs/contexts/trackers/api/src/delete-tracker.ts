import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { deleteTrackerRow, listHookedFlows, lockTracker } from '@steward/trackers';
import { requireFound } from '@steward/api';
import { TrackerParams } from './tracker-schemas.ts';
import type { TrackersDeps } from './trackers-deps.ts';

const MAX_NAMED = 20;

export function createDeleteTrackerRoute(deps: Pick<TrackersDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'deleteTracker',
    method: 'delete',
    path: '/api/v1/trackers/{tracker_id}',
    permissions: ['manage_trackers'],
    summary: 'Delete a connection whose events start no flow, together with its token.',
    params: TrackerParams,
    responses: { 204: { description: 'Deleted.' } },
    audit: { resourceType: 'tracker' },
    handler: async ({ params, principal: { accountId }, audit }) => {
      const key = { accountId, id: params.tracker_id };
      await transact(deps, async (trx) => {
        const { name } = requireFound(await lockTracker(trx, key));
        const flows = await listHookedFlows(trx, key);
        if (flows.length > 0) throw refuseInUse(flows);
        await deleteTrackerRow(trx, key);
        await recordAudit(trx, audit({ resourceId: key.id, details: { name } }));
      });
      return { status: 204 };
    },
  });
}

function refuseInUse(flows: readonly string[]): AppError {
  const message = `This tracker starts ${flows.length === 1 ? 'a flow. Delete the flow first, or change its trigger' : `${flows.length} flows. Delete the flows first, or change their triggers`}.`;
  return new AppError('conflict', { message, detail: { used_by: flows.slice(0, MAX_NAMED) } });
}
