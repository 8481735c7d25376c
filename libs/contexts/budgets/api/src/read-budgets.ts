import { defineRoute, pageOf, readIdPage, toIdPage, type Route } from '@steward/http';
import { listBudgets } from '@steward/budgets';
import { requireFound } from '@steward/api';
import { BudgetAnswer, BudgetParams, BudgetQuery } from './budget-schemas.ts';
import type { BudgetsDeps } from './budgets-deps.ts';
import { presentBudget } from './present-budget.ts';

export function createListBudgetsRoute({ db, clock }: BudgetsDeps): Route {
  return defineRoute({
    operationId: 'listBudgets',
    method: 'get',
    path: '/api/v1/budgets',
    permissions: ['view_cost'],
    summary: 'List the budgets of the account with their spend, newest first.',
    query: BudgetQuery,
    responses: { 200: { description: 'A page of budgets.', name: 'Budget', schema: pageOf(BudgetAnswer) } },
    handler: async ({ query, principal: { accountId } }) => {
      const page = readIdPage(query);
      const found = await listBudgets(db, { accountId, at: clock.now(), ...page });
      return { status: 200, body: toIdPage(found, page.limit, presentBudget) };
    },
  });
}

export function createReadBudgetRoute({ db, clock }: BudgetsDeps): Route {
  return defineRoute({
    operationId: 'readBudget',
    method: 'get',
    path: '/api/v1/budgets/{budget_id}',
    permissions: ['view_cost'],
    summary: 'Read a budget with the spend of its current period.',
    params: BudgetParams,
    responses: { 200: { description: 'The budget.', name: 'Budget', schema: BudgetAnswer } },
    handler: async ({ params, principal: { accountId } }) => {
      const [budget] = await listBudgets(db, { accountId, id: params.budget_id, at: clock.now() });
      return { status: 200, body: presentBudget(requireFound(budget)) };
    },
  });
}
