import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import {
  findTracker,
  openTracker,
  requireRepository,
  TRACKER_HOSTS,
  TrackerError,
  type TokenFacts,
} from '@steward/trackers';
import { requireFound } from '@steward/api';
import { TestTrackerBody, TrackerParams, TrackerTrial } from './tracker-schemas.ts';
import type { TrialDeps } from './trackers-deps.ts';

export function createTestTrackerRoute(deps: TrialDeps): Route {
  const { db, trackers, secretBoxes, openRequests } = deps;
  return defineRoute({
    operationId: 'testTracker',
    method: 'post',
    path: '/api/v1/trackers/{tracker_id}/test',
    isAct: true,
    permissions: ['manage_trackers'],
    summary: 'Test a connection: ask the tracker who owns the token and what the token may do.',
    description:
      'If `repository` is set, the response also contains the permissions in that repository. Nothing is changed at the tracker.',
    params: TrackerParams,
    body: TestTrackerBody,
    bodyOptional: true,
    responses: {
      200: {
        description: 'Response of the tracker, or the reason why there is none.',
        name: 'TrackerTrial',
        schema: TrackerTrial,
      },
    },
    audit: { action: 'test', resourceType: 'tracker' },
    handler: async ({ params, body, principal, audit, signal }) => {
      const id = params.tracker_id;
      const tracker = requireFound(await findTracker(db, { accountId: principal.accountId, id }));
      const repository = (body as { repository?: string } | undefined)?.repository;
      if (repository !== undefined) requireRepository(tracker, repository, 'repository');
      const leave = openRequests.trials.enter(principal);
      try {
        // The audit entry is written before the call, so that it shows that a token was sent, even if the call fails.
        const details = { base_url: tracker.base_url };
        await transact({ db }, (trx) => recordAudit(trx, audit({ resourceId: id, details })));
        const begun = performance.now();
        const describe = async () =>
          TRACKER_HOSTS[tracker.kind].describeToken(
            trackers.open(openTracker(tracker, secretBoxes.tracker), signal),
            repository,
          );
        const said = await describe().catch(readError);
        return { status: 200, body: presentTrial(said, repository, Math.round(performance.now() - begun)) };
      } finally {
        leave();
      }
    },
  });
}

function readError(error: unknown): TrackerError {
  if (error instanceof TrackerError) return error;
  throw error;
}

function presentTrial(said: TokenFacts | TrackerError, asked: string | undefined, latency: number) {
  const nothing = { login: null, name: null, scopes: null, expires_at: null, repository: null };
  if (said instanceof TrackerError)
    return { ...nothing, ok: false, latency_ms: latency, error: { code: said.fault, message: said.message } };
  const { repository } = said;
  return {
    ok: true,
    latency_ms: latency,
    login: said.login,
    name: said.name,
    scopes: said.scopes === null ? null : [...said.scopes],
    expires_at: said.expiresAt,
    repository:
      repository === null
        ? null
        : {
            name: asked ?? '',
            may_read: repository.mayRead,
            may_write: repository.mayWrite,
            may_manage_hooks: repository.mayManageHooks,
          },
    error: null,
  };
}
