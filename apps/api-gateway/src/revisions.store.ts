import { selectBudgetsRevision } from '@steward/budgets';
import type { Revisions } from '@steward/contracts';
import { selectWalPosition, type AnyDatabase } from '@steward/database';
import { selectModelsRevision } from '@steward/models';
import { selectPolicyVersion } from '@steward/policies';
import { selectHasNotes } from '@steward/sessions';
import { selectCatalogueRevision } from '@steward/tool-servers';
import { selectTrackersRevision } from '@steward/trackers';
import { sql, type RawBuilder } from 'kysely';

/**
 * Returns the SQL expression for the revisions of the account whose id is in the column; it is part of the statement
 * that authenticates a request.
 */
export function selectRevisions(accountColumn: string): RawBuilder<Revisions> {
  const [models, budgets] = [selectModelsRevision(accountColumn), selectBudgetsRevision(accountColumn)];
  const [policies, toolServers] = [selectPolicyVersion(accountColumn), selectCatalogueRevision(accountColumn)];
  const trackers = selectTrackersRevision(accountColumn);
  return sql`jsonb_build_object('models', ${models}, 'budgets', ${budgets}, 'policies', ${policies},
    'toolServers', ${toolServers}, 'trackers', ${trackers}, 'hasNotes', ${selectHasNotes(accountColumn)})`;
}

/**
 * Returns the expression of `selectRevisions` with the position of the write-ahead log, for reads from a replica
 * (PROC-21).
 */
export function selectPositionedRevisions(accountColumn: string): RawBuilder<Revisions> {
  return sql`${selectRevisions(accountColumn)} || jsonb_build_object('walPosition', ${selectWalPosition()})`;
}

/** Reads the revisions of an account, in the form in which the statement that authenticates a request reads them. */
export async function readRevisions(db: AnyDatabase, accountId: string): Promise<Revisions | undefined> {
  const { rows } = await sql<{ revisions: Revisions }>`
    select ${selectPositionedRevisions('account.id')} as revisions from (select ${accountId}::uuid as id) account
  `.execute(db);
  return rows[0]?.revisions;
}
