import { sql, type Kysely, type Transaction, type Updateable } from 'kysely';
import type { FlowRow, FlowsDatabase, FlowTable, NewFlow, RunnableFlow } from '../schema.ts';

type Reader = Kysely<FlowsDatabase> | Transaction<FlowsDatabase>;

export async function insertFlow(trx: Transaction<FlowsDatabase>, flow: NewFlow): Promise<FlowRow> {
  return trx.insertInto('flows.flow').values(flow).returningAll().executeTakeFirstOrThrow();
}

export async function updateFlow(
  trx: Transaction<FlowsDatabase>,
  key: { readonly accountId: string; readonly flowId: string },
  change: Updateable<FlowTable>,
): Promise<FlowRow> {
  return trx
    .updateTable('flows.flow')
    .set({ ...change, updated_at: sql<Date>`now()` })
    .where('account_id', '=', key.accountId)
    .where('id', '=', key.flowId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Locked until the transaction ends, so that an update and a trigger see one secret. */
export function lockFlow(
  trx: Transaction<FlowsDatabase>,
  accountId: string,
  flowId: string,
): Promise<FlowRow | undefined> {
  return trx
    .selectFrom('flows.flow')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', flowId)
    .forUpdate()
    .executeTakeFirst();
}

export function findFlow(db: Reader, accountId: string, flowId: string): Promise<FlowRow | undefined> {
  return db
    .selectFrom('flows.flow')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', flowId)
    .executeTakeFirst();
}

export function findRunnableFlow(db: Reader, flowId: string): Promise<RunnableFlow | undefined> {
  return db
    .selectFrom('flows.flow')
    .select([
      'id',
      'account_id',
      'name',
      'description',
      'is_enabled',
      'trigger',
      'prompt_template',
      'ai_model_id',
      'agent_type',
      'agent_config',
      'allowed_tools',
      'webhook_config',
      'git_clone_config',
      'setup_commands',
      'timeout_seconds',
      'evidence',
      'created_at',
      'updated_at',
    ])
    .where('id', '=', flowId)
    .executeTakeFirst();
}

/** Newest first; one row more than asked for tells whether there is a further page. */
export function listFlows(
  db: Reader,
  filter: { readonly accountId: string; readonly beforeId?: string | undefined; readonly limit: number },
): Promise<FlowRow[]> {
  return db
    .selectFrom('flows.flow')
    .selectAll()
    .where('account_id', '=', filter.accountId)
    .$if(filter.beforeId !== undefined, (query) => query.where('id', '<', filter.beforeId as string))
    .orderBy('id', 'desc')
    .limit(filter.limit + 1)
    .execute();
}

export async function deleteFlow(trx: Transaction<FlowsDatabase>, flowId: string): Promise<void> {
  await trx.deleteFrom('flows.idempotency_key').where('flow_id', '=', flowId).execute();
  await trx.deleteFrom('flows.flow').where('id', '=', flowId).execute();
}
