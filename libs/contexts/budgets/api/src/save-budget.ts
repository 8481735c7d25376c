import { AppError } from '@steward/contracts';
import { transact, type AnyTransaction } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { createBudgetMaker, updateBudget, type BudgetTerms, type SpentBefore } from '@steward/budgets';
import { sumCost, type UsageFilter } from '@steward/models';
import { readAgentFilter, requireFound } from '@steward/api';
import { BudgetAnswer, BudgetParams, CreateBudgetBody, UpdateBudgetBody } from './budget-schemas.ts';
import type { BudgetsDeps } from './budgets-deps.ts';
import { presentBudget } from './present-budget.ts';
import { readSubject, readTerms } from './read-budget-body.ts';

const DEFAULT_TERMS: Omit<BudgetTerms, 'limitAmount'> = {
  isHard: true,
  refusesUnsized: false,
  thresholdsPercent: [80],
  isEnabled: true,
};
/**
 * Maximum time for computing the sum of earlier usage: for the period `all_time`, all usage rows of an account may have
 * to be read.
 */
const SUM_WITHIN_MS = 20_000;

export function createCreateBudgetRoute(deps: BudgetsDeps): Route {
  const makeBudget = createBudgetMaker({ db: deps.db, sumUsage });
  return defineRoute({
    operationId: 'createBudget',
    method: 'post',
    path: '/api/v1/budgets',
    permissions: ['manage_budgets'],
    summary: 'Create a budget for model calls. Calls made earlier in the current period count toward it.',
    body: CreateBudgetBody,
    bodyExample: { scope: 'account', period: 'monthly', limit_amount: 500, thresholds_percent: [50, 80] },
    responses: { 201: { description: 'The budget.', name: 'Budget', schema: BudgetAnswer } },
    audit: { resourceType: 'budget' },
    handler: async ({ body, principal: { accountId }, audit }) => {
      const subject = await readSubject(deps.db, accountId, body);
      const { limitAmount = '', ...terms } = readTerms(body);
      const draft = { accountId, ...subject, ...DEFAULT_TERMS, ...terms, limitAmount };
      const budget = await makeBudget(draft, (trx, { id }) =>
        recordAudit(trx, audit({ resourceId: id, details: body })),
      );
      if (budget === undefined)
        throw new AppError('conflict', {
          message: 'The account already has a budget with this scope, model and period.',
        });
      return { status: 201, body: presentBudget(budget) };
    },
  });
}

export function createUpdateBudgetRoute(deps: BudgetsDeps): Route {
  return defineRoute({
    operationId: 'updateBudget',
    method: 'patch',
    path: '/api/v1/budgets/{budget_id}',
    permissions: ['manage_budgets'],
    summary: 'Update the terms of a budget; omitted fields keep their values.',
    description: 'After the limit is raised, thresholds above the current spend can alert again.',
    params: BudgetParams,
    body: UpdateBudgetBody,
    bodyExample: { limit_amount: 750 },
    responses: { 200: { description: 'The budget.', name: 'Budget', schema: BudgetAnswer } },
    audit: { resourceType: 'budget' },
    handler: async ({ params, body, principal: { accountId }, audit }) => {
      const key = { accountId, id: params.budget_id };
      const patch = { ...readTerms(body), now: deps.clock.now() };
      const budget = await transact(deps, async (trx) => {
        const updated = requireFound(await updateBudget(trx, key, patch));
        await recordAudit(trx, audit({ resourceId: key.id, details: body }));
        return updated;
      });
      return { status: 200, body: presentBudget(budget) };
    },
  });
}

async function sumUsage(
  snapshot: AnyTransaction,
  { scope, scopeId, modelAlias, accountId, since, until }: SpentBefore,
): Promise<string> {
  const of = (wanted: SpentBefore['scope']) => (scope === wanted ? (scopeId ?? undefined) : undefined);
  const filter: UsageFilter = {
    ...{ accountId, since, until },
    modelAlias: modelAlias ?? undefined,
    apiKeyId: of('api_key'),
    flowId: of('flow'),
    managedAgentIds: await readAgentFilter(snapshot, accountId, of('managed_agent')),
  };
  return sumCost(snapshot, filter, SUM_WITHIN_MS);
}
