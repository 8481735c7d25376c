import { defineRoute, type Route } from '@steward/http';
import { findDeletionJob } from '@steward/sessions';
import { requireFound } from '@steward/api';
import type { SessionsDeps } from '../sessions-deps.ts';
import { DeletionAnswer, DeletionParams, presentDeletion } from './deletion-schemas.ts';

/** Handles GET /api/v1/runtime-sessions/deletions/{deletion_id}: returns the progress. */
export function createReadDeletionRoute(deps: Pick<SessionsDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'readDeletion',
    method: 'get',
    path: '/api/v1/runtime-sessions/deletions/{deletion_id}',
    permissions: ['view_runtime_sessions'],
    summary: 'Read the progress of a bulk deletion.',
    params: DeletionParams,
    responses: { 200: { description: 'The deletion.', name: 'DeletionJob', schema: DeletionAnswer } },
    handler: async ({ params, principal: { accountId } }) => {
      const job = requireFound(await findDeletionJob(deps.db, accountId, params.deletion_id));
      return { status: 200, body: presentDeletion(job) };
    },
  });
}
