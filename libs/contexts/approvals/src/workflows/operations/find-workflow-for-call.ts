import { newId } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { WORKFLOW_DEFAULTS, type ApprovalWorkflow } from '../approval-workflow.ts';
import {
  findDefaultWorkflow,
  findWorkflow,
  findWorkflowsByName,
  insertWorkflow,
  lockWorkflows,
} from '../store/approval-workflow.store.ts';

/**
 * Name of the workflow for calls to which no other workflow applies, in an account without a default workflow. It is
 * created if it does not exist.
 */
const FIRST_NAME = 'default';

type Wanted = { readonly accountId: string } & ({ readonly id: string } | { readonly name: string | null });

/**
 * Returns the workflow for a call: the one with that name or id, else the account's default. An account without a
 * default uses its workflow named `default` or, if there is none, gets one that asks everybody with permission to
 * decide approvals, so that every held call has approvers.
 */
export async function findWorkflowForCall(trx: AnyTransaction, wanted: Wanted): Promise<ApprovalWorkflow> {
  const { accountId } = wanted;
  const named = await findWanted(trx, wanted);
  return named ?? (await findDefaultWorkflow(trx, accountId)) ?? (await makeDefault(trx, accountId));
}

async function findWanted(trx: AnyTransaction, wanted: Wanted): Promise<ApprovalWorkflow | undefined> {
  if ('id' in wanted) return findWorkflow(trx, wanted);
  const { accountId, name } = wanted;
  return name === null ? undefined : findNamed(trx, accountId, name);
}

async function findNamed(trx: AnyTransaction, accountId: string, name: string): Promise<ApprovalWorkflow | undefined> {
  return (await findWorkflowsByName(trx, { accountId, names: [name] }))[0];
}

async function makeDefault(trx: AnyTransaction, accountId: string): Promise<ApprovalWorkflow> {
  await lockWorkflows(trx, accountId);
  const made = (await findDefaultWorkflow(trx, accountId)) ?? (await findNamed(trx, accountId, FIRST_NAME));
  if (made !== undefined) return made;
  const key = { accountId, id: newId() };
  await insertWorkflow(trx, key, {
    ...WORKFLOW_DEFAULTS,
    name: FIRST_NAME,
    description: 'Everyone who may decide approvals is asked.',
    isDefault: true,
    receivers: null,
  });
  const workflow = await findWorkflow(trx, key);
  if (workflow === undefined) throw new Error('the default workflow was not stored');
  return workflow;
}
