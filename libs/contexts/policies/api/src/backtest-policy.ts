import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { findBacktest, MAX_BACKTEST_CALLS, requestBacktest } from '@steward/policies';
import { requireFound } from '@steward/api';
import { BacktestAnswer, BacktestBody, BacktestParams } from './backtest-schemas.ts';
import type { PoliciesDeps } from './policies-deps.ts';
import { presentBacktest } from './present-backtest.ts';
import { readSentDocument } from './read-sent-document.ts';

const PERMISSIONS = ['view_policies', 'view_runtime_sessions'] as const;

export function createBacktestRoute(deps: PoliciesDeps): Route {
  return defineRoute({
    operationId: 'startBacktest',
    method: 'post',
    path: '/api/v1/policies/backtest',
    permissions: PERMISSIONS,
    summary: 'Test a policy document against recorded tool calls, in the background.',
    description:
      'A document is compared with the version in force. Without a document, the version in force is compared with the recorded calls, each of which counts as allowed.',
    body: BacktestBody,
    bodyExample: { since: '2026-11-13T00:00:00Z', limit: 10_000 },
    bodyLimitBytes: 1024 * 1024,
    responses: { 202: { description: 'The backtest is queued.', name: 'Backtest', schema: BacktestAnswer } },
    audit: { action: 'backtest', resourceType: 'policy' },
    handler: async ({ body, principal, audit }) => {
      const { accountId, userId: createdBy } = principal;
      const since = new Date(body.since);
      const until = body.until === undefined ? deps.clock.now() : new Date(body.until);
      if (since >= until) {
        throw new AppError('invalid_request', {
          message: '"since" must be before "until", which defaults to now.',
          detail: { field: 'since' },
        });
      }
      const document =
        body.document === undefined ? null : (await readSentDocument(deps, accountId, body.document)).document;
      const backtest = await transact(deps, async (trx) => {
        const limit = body.limit ?? MAX_BACKTEST_CALLS;
        const id = await requestBacktest(trx, { accountId, document, since, until, limit, createdBy });
        const details = { since: since.toISOString(), until: until.toISOString(), limit };
        await recordAudit(trx, audit({ resourceId: id, details }));
        return requireFound(await findBacktest(trx, accountId, id));
      });
      return { status: 202, body: presentBacktest(backtest) };
    },
  });
}

export function createReadBacktestRoute({ db }: PoliciesDeps): Route {
  return defineRoute({
    operationId: 'readBacktest',
    method: 'get',
    path: '/api/v1/policies/backtests/{backtest_id}',
    permissions: PERMISSIONS,
    summary: 'Read the progress and the result of a backtest.',
    params: BacktestParams,
    responses: { 200: { description: 'The backtest.', name: 'Backtest', schema: BacktestAnswer } },
    handler: async ({ params, principal: { accountId } }) => {
      const backtest = requireFound(await findBacktest(db, accountId, params.backtest_id));
      return { status: 200, body: presentBacktest(backtest) };
    },
  });
}
