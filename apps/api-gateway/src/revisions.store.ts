import { selectBudgetsRevision } from '@steward/budgets';
import type { Revisions } from '@steward/contracts';
import { selectModelsRevision } from '@steward/models';
import { selectHasNotes } from '@steward/sessions';
import { sql, type RawBuilder } from 'kysely';

/** SQL for the facts of the account in a column, as part of the statement that authenticates a request. */
export function selectRevisions(accountColumn: string): RawBuilder<Revisions> {
  const [models, budgets] = [selectModelsRevision(accountColumn), selectBudgetsRevision(accountColumn)];
  return sql`jsonb_build_object('models', ${models}, 'budgets', ${budgets}, 'hasNotes', ${selectHasNotes(accountColumn)})`;
}
