import { newId } from '@steward/crypto';
import { APP_ROLES } from '@steward/database';
import { connectTestDatabase } from '@steward/database/testing';
import { issueExecutionToken } from '@steward/identity';
import type { TestGateway } from './start-gateway.ts';

export interface InsertedRun {
  readonly executionId: string;
  readonly flowId: string;
  readonly leaseToken: string;
}

/** Inserts an execution in the state in which its agent starts; its lease, which is not renewed, outlasts any test. */
export async function insertRun(
  query: (text: string, values: unknown[]) => Promise<unknown>,
  { accountId, sessionId }: { readonly accountId: string; readonly sessionId: string },
): Promise<InsertedRun> {
  const [flowId, executionId, leaseToken] = [newId(), newId(), newId()];
  await query(
    `insert into flows.flow (id, account_id, name, is_enabled, trigger, prompt_template, agent_type, agent_config,
       allowed_tools, webhook_config, setup_commands, timeout_seconds)
     values ($1, $2, $3, true, 'manual', 'x', 'command', '{}', '{}', '{}', '{}', 86400)`,
    [flowId, accountId, `flow ${flowId}`],
  );
  await query(
    `insert into flows.execution (id, account_id, flow_id, flow_name, status, trigger_type, trigger_event_details,
       runtime_session_id, lease_token, lease_until, worker_id, started_at)
     values ($1, $2, $3, 'a flow', 'RUNNING', 'manual', '{}', $4, $5, now() + interval '1 hour', 'a worker', now())`,
    [executionId, accountId, flowId, sessionId, leaseToken],
  );
  return { executionId, flowId, leaseToken };
}

/** Creates the credential of the agent, as the worker does. */
export async function issueRunToken(gateway: TestGateway, { executionId, leaseToken }: InsertedRun): Promise<string> {
  const worker = connectTestDatabase(gateway.database.urlForRole(APP_ROLES.flowTrigger));
  try {
    return (await issueExecutionToken(worker.db, { executionId, leaseToken })) ?? '';
  } finally {
    await worker.close();
  }
}
