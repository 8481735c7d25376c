import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { findRecoveryJob, requestRecovery } from '@steward/webhooks';
import { requireFound } from '@steward/api';
import type { EventWebhooksDeps } from './webhooks-deps.ts';
import { RecoverAnswer, RecoverBody, RecoveryAnswer, RecoveryParams } from './webhooks-schemas.ts';
import { presentRecovery } from './present-webhooks.ts';

export function createRecoverDeliveriesRoute(deps: EventWebhooksDeps): Route {
  return defineRoute({
    operationId: 'startRecovery',
    method: 'post',
    path: '/api/v1/event-webhooks/deliveries/recover',
    permissions: ['manage_policies'],
    summary: 'Send dead deliveries of a time range again, in the background, or only count them.',
    body: RecoverBody,
    bodyExample: { since: '2026-11-20T09:00:00Z', dry_run: true },
    responses: {
      202: {
        description: 'The queued recovery, or the result of a dry run.',
        name: 'StartedRecovery',
        schema: RecoverAnswer,
      },
    },
    audit: { action: 'recover', resourceType: 'event_webhook_delivery' },
    handler: async ({ body, principal: { accountId }, audit, traceparent }) => {
      const scope = {
        accountId,
        traceparent,
        endpointId: body.endpoint_id,
        since: new Date(body.since),
        until: body.until === undefined ? deps.clock.now() : new Date(body.until),
      };
      if (scope.since >= scope.until) {
        throw new AppError('invalid_request', {
          message: '"since" must be before "until", which defaults to now.',
          detail: { field: 'since' },
        });
      }
      const answer = await transact(deps, async (trx) => {
        const outcome = await requestRecovery(trx, scope, { dryRun: body.dry_run ?? false });
        if (outcome.kind === 'not_found') throw new AppError('not_found');
        const { matched, queued, jobId } = outcome;
        if (jobId !== undefined) {
          await recordAudit(
            trx,
            audit({
              resourceId: jobId,
              details: {
                since: scope.since.toISOString(),
                until: scope.until.toISOString(),
                matched,
                queued,
                ...(scope.endpointId === undefined ? {} : { endpoint_id: scope.endpointId }),
              },
            }),
          );
        }
        return { matched, queued, recovery_id: jobId ?? null };
      });
      return { status: 202, body: answer };
    },
  });
}

export function createReadRecoveryRoute(deps: Pick<EventWebhooksDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'readRecovery',
    method: 'get',
    path: '/api/v1/event-webhooks/deliveries/recover/{recovery_id}',
    permissions: ['view_policies'],
    summary: 'Read the progress of a recovery.',
    params: RecoveryParams,
    responses: { 200: { description: 'The recovery.', name: 'Recovery', schema: RecoveryAnswer } },
    handler: async ({ params, principal: { accountId } }) => {
      const job = requireFound(await findRecoveryJob(deps.db, accountId, params.recovery_id));
      return { status: 200, body: presentRecovery(job) };
    },
  });
}
