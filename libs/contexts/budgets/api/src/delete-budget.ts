import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { recordAudit } from '@steward/audit';
import { deleteBudget } from '@steward/budgets';
import { requireFound } from '@steward/api';
import { BudgetParams } from './budget-schemas.ts';
import type { BudgetsDeps } from './budgets-deps.ts';

export function createDeleteBudgetRoute(deps: BudgetsDeps): Route {
  return defineRoute({
    operationId: 'deleteBudget',
    method: 'delete',
    path: '/api/v1/budgets/{budget_id}',
    permissions: ['manage_budgets'],
    summary: 'Delete a budget. Calls in flight are still completed.',
    params: BudgetParams,
    responses: { 204: { description: 'Deleted.' } },
    audit: { resourceType: 'budget' },
    handler: async ({ params, principal: { accountId }, audit }) => {
      const key = { accountId, id: params.budget_id };
      await transact(deps, async (trx) => {
        const { scope, period } = requireFound(await deleteBudget(trx, key, deps.clock.now()));
        await recordAudit(trx, audit({ resourceId: key.id, details: { scope, period } }));
      });
      return { status: 204 };
    },
  });
}
