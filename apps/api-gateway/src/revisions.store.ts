import { selectBudgetsRevision } from '@steward/budgets';
import type { Revisions } from '@steward/contracts';
import { selectModelsRevision } from '@steward/models';
import { sql, type RawBuilder } from 'kysely';

/** SQL for the revisions of the account in a column, as part of the statement that authenticates a request. */
export function selectRevisions(accountColumn: string): RawBuilder<Revisions> {
  const [models, budgets] = [selectModelsRevision(accountColumn), selectBudgetsRevision(accountColumn)];
  return sql`jsonb_build_object('models', ${models}, 'budgets', ${budgets})`;
}
