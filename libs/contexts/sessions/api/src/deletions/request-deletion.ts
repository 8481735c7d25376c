import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, describeActor, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { cleanLabel } from '@steward/search';
import { requestDeletion } from '@steward/sessions';
import { requireReach, readTimeBounds } from '@steward/api';
import type { SessionsDeps } from '../sessions-deps.ts';
import { DeletionAnswer, presentDeletion, RequestDeletionBody } from './deletion-schemas.ts';

/** POST /api/v1/runtime-sessions/deletions: deletes all matching sessions in the background, or only counts them. */
export function createRequestDeletionRoute(deps: Pick<SessionsDeps, 'db' | 'broker'>): Route {
  return defineRoute({
    operationId: 'startDeletion',
    method: 'post',
    path: '/api/v1/runtime-sessions/deletions',
    permissions: ['manage_runtime_sessions'],
    summary: 'Delete all matching sessions in the background, or only count them.',
    description:
      'Sessions under legal hold and sessions of active executions are not deleted and are counted in `kept`. Sessions stored after the request are not deleted either.',
    body: RequestDeletionBody,
    bodyExample: { filters: { label: 'team:shop', until: '2026-01-01T00:00:00Z' }, dry_run: true },
    responses: { 202: { description: 'The deletion is queued.', name: 'DeletionJob', schema: DeletionAnswer } },
    audit: { action: 'request', resourceType: 'runtime_session_deletion' },
    handler: async ({ body, principal, audit, traceparent }) => {
      requireReach(principal, undefined);
      const { filters, dry_run: dryRun = false } = body;
      const request = {
        accountId: principal.accountId,
        dryRun,
        actor: describeActor(principal),
        filters: {
          active: filters.active,
          runtimePrincipalId: filters.runtime_principal_id,
          flowId: filters.flow_id,
          label: filters.label === undefined ? undefined : cleanLabel(filters.label),
          ...readTimeBounds(filters),
        },
      };
      const job = await transact({ ...deps, traceparent }, async (trx) => {
        const outcome = await requestDeletion(trx, request);
        if (outcome.kind === 'too_many') throw new AppError('quota_reached', { detail: { limit: outcome.limit } });
        // The filter values may be the data that has to be deleted, so only the names of the filters are recorded.
        const details = { dry_run: dryRun, filters: Object.keys(filters) };
        await recordAudit(trx, audit({ resourceId: outcome.job.id, details }));
        return outcome.job;
      });
      return { status: 202, body: presentDeletion(job) };
    },
  });
}
