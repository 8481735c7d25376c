import { sql } from 'kysely';
import { executePrepared, type AnyDatabase } from '@steward/database';
import {
  isHalted,
  selectExecutionTokens,
  selectNoRevisions,
  type RunningAgent,
  type SelectRevisions,
} from '@steward/identity';

/**
 * Returns the runs of the agents to which the tokens were issued. The execution itself is checked, not only the token
 * row: the token becomes invalid when the run or the lease ends, even if nothing revoked it.
 */
export async function findRunningAgents(
  db: AnyDatabase,
  tokenHashes: readonly Buffer[],
  {
    now,
    selectRevisions = selectNoRevisions,
  }: { readonly now: Date; readonly selectRevisions?: SelectRevisions | undefined },
): Promise<RunningAgent[]> {
  const found = await executePrepared(
    db,
    'flows.running-agents',
    sql<RunningAgent>`
    select token.id, token.token_hash as "tokenHash", run.account_id as "accountId", run.id as "executionId",
      run.runtime_session_id as "runtimeSessionId", run.flow_id as "flowId", run.flow_name as "flowName",
      ${isHalted('run.account_id')} as "isHalted", ${selectRevisions('run.account_id')} as revisions
    from (${selectExecutionTokens(tokenHashes, now)}) token
    join flows.execution run on run.id = token.execution_id and run.status in ('INITIALIZING', 'RUNNING')
      and run.lease_until > now() and run.runtime_session_id is not null
  `,
  );
  return found.rows;
}
