import { sql, type Updateable } from 'kysely';
import { containsText, pageById, type AnyDatabase, type AnyTransaction, type IdPage } from '@steward/database';
import {
  tables,
  type ExecutionRow,
  type FlowRow,
  type FlowTable,
  type NewFlow,
  type RunnableFlow,
} from '../../schema.ts';

export async function insertFlow(trx: AnyTransaction, flow: NewFlow): Promise<FlowRow> {
  return tables(trx).insertInto('flows.flow').values(flow).returningAll().executeTakeFirstOrThrow();
}

export async function updateFlow(
  trx: AnyTransaction,
  key: { readonly accountId: string; readonly flowId: string },
  change: Updateable<FlowTable>,
): Promise<FlowRow> {
  return tables(trx)
    .updateTable('flows.flow')
    .set({ ...change, updated_at: sql<Date>`now()` })
    .where('account_id', '=', key.accountId)
    .where('id', '=', key.flowId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

const selectFlows = (db: AnyDatabase, accountId: string) =>
  tables(db).selectFrom('flows.flow').selectAll().where('account_id', '=', accountId);

/**
 * Locks a flow until the transaction ends: other updates wait, and no trigger is accepted with a secret that is being
 * replaced.
 */
export function lockFlow(trx: AnyTransaction, accountId: string, flowId: string): Promise<FlowRow | undefined> {
  return selectFlows(trx, accountId).where('id', '=', flowId).forUpdate().executeTakeFirst();
}

/**
 * Takes a shared lock: the flow cannot be changed or deleted before the transaction ends. Triggers do not wait for each
 * other.
 */
export async function holdFlow(
  trx: AnyTransaction,
  flowId: string,
): Promise<Pick<FlowRow, 'webhook_config'> | undefined> {
  const held = await sql<Pick<FlowRow, 'webhook_config'>>`
    select webhook_config from flows.flow where id = ${flowId} for key share
  `.execute(trx);
  return held.rows[0];
}

export function findFlow(db: AnyDatabase, accountId: string, flowId: string): Promise<FlowRow | undefined> {
  return selectFlows(db, accountId).where('id', '=', flowId).executeTakeFirst();
}

/** Returns the flow of a leased execution; undefined if the flow or the lease no longer exists. */
export async function findRunnableFlow(
  db: AnyDatabase,
  execution: Pick<ExecutionRow, 'id' | 'lease_token'>,
): Promise<RunnableFlow | undefined> {
  const found = await sql<RunnableFlow>`
    select * from flows.leased_flow(${execution.id}, ${execution.lease_token})
  `.execute(db);
  return found.rows[0];
}

export interface FlowFilter extends IdPage {
  /** A part of the name to search for. */
  readonly query?: string | undefined;
}

/** Lists flows newest first; one row more than requested shows whether there is another page. */
export function listFlows(db: AnyDatabase, filter: FlowFilter): Promise<FlowRow[]> {
  return selectFlows(db, filter.accountId)
    .$if(filter.query !== undefined, (query) => query.where(containsText([sql`name`], filter.query as string)))
    .$call((query) => pageById(query, filter))
    .execute();
}

/** Returns the names of flows whose agent uses a model with one of these names. */
export async function listFlowsOfModel(
  db: AnyDatabase,
  { accountId, names }: { readonly accountId: string; readonly names: readonly string[] },
): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('flows.flow')
    .select('name')
    .where('account_id', '=', accountId)
    .where('ai_model_id', 'in', names)
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

export async function deleteFlow(trx: AnyTransaction, flowId: string): Promise<void> {
  await tables(trx).deleteFrom('flows.idempotency_key').where('flow_id', '=', flowId).execute();
  await tables(trx).deleteFrom('flows.arrival').where('flow_id', '=', flowId).execute();
  for (const table of ['flows.due_time', 'flows.schedule'] as const)
    await tables(trx).deleteFrom(table).where('flow_id', '=', flowId).execute();
  await tables(trx).deleteFrom('flows.flow').where('id', '=', flowId).execute();
}
