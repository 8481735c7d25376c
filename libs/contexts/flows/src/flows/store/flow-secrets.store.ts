import { sql, type Updateable } from 'kysely';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import { HIDDEN_VALUE } from '../rules/agent-secrets.ts';
import { tables, type FlowRow, type FlowTable } from '../../schema.ts';

export interface LeasedSecret {
  readonly account_id: string;
  readonly flow_id: string;
  /** Name of the secret; null for the secrets of the flow itself. */
  readonly name: string | null;
  readonly sealed: Buffer;
}

/** Returns the sealed secrets of a run, for the worker that holds its lease; none for any other worker. */
export async function listLeasedSecrets(
  db: AnyDatabase,
  run: { readonly executionId: string; readonly token: string; readonly names: readonly string[] },
): Promise<LeasedSecret[]> {
  const found = await sql<LeasedSecret>`
    select * from flows.leased_secrets(${run.executionId}, ${run.token}, ${[...run.names]})
  `.execute(db);
  return found.rows;
}

/** Locks and returns flows with a plaintext secret; rows locked by another process are skipped. */
export async function lockFlowsInClear(
  trx: AnyTransaction,
  page: { readonly afterId: string; readonly limit: number },
): Promise<FlowRow[]> {
  const found = await sql<FlowRow>`
    select * from flows.flow f
    where f.id > ${page.afterId} and ((json_typeof(f.agent_config -> 'env') = 'object' and exists (
        select from json_each_text(f.agent_config -> 'env') variable where variable.value is distinct from ${HIDDEN_VALUE}
      ))
      or f.git_clone_config ->> 'repository_url' ~ '^[A-Za-z][A-Za-z0-9+.-]*://[^/?#\\\\]*:[^/?#\\\\]*@'
      or f.git_clone_config ->> 'repository_url' ~* '^https?://(?!git@)[^/?#\\\\]+@')
    order by f.id limit ${page.limit} for update skip locked
  `.execute(trx);
  return found.rows;
}

export type SecretColumns = Pick<Updateable<FlowTable>, 'agent_config' | 'git_clone_config' | 'agent_secrets_sealed'>;

/** Replaces the secret columns of a flow. The flow itself does not change, so `updated_at` is not updated. */
export async function replaceSecrets(trx: AnyTransaction, flowId: string, columns: SecretColumns): Promise<void> {
  await tables(trx).updateTable('flows.flow').set(columns).where('id', '=', flowId).execute();
}
