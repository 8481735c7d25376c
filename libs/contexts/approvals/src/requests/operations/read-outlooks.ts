import type { AnyDatabase } from '@steward/database';
import { listDeciders, type Decider } from '@steward/identity';
import type { ApprovalWorkflow } from '../../workflows/approval-workflow.ts';
import { findWorkflow } from '../../workflows/store/approval-workflow.store.ts';
import type { ApprovalRequest } from '../approval-request.ts';
import { judgeOutlook, type Outlook } from '../rules/outlook.ts';
import { listVotes } from '../store/approval-vote.store.ts';

/**
 * Maximum number of approvers that are read: more than the maximum quorum plus the voters and the requester, so that
 * further approvers make no difference.
 */
const ENOUGH = 32;

interface Asked {
  readonly workflow: ApprovalWorkflow;
  /** At most `ENOUGH` of the people who may be asked, now or after an escalation. */
  readonly people: readonly Decider[];
}

/**
 * Returns the outlooks of pending requests, by id: who may still decide them, and whether those people are enough
 * (APR-24).
 */
export async function readOutlooks(
  db: AnyDatabase,
  requests: readonly ApprovalRequest[],
): Promise<ReadonlyMap<string, Outlook>> {
  const pending = requests.filter(({ status }) => status === 'pending');
  const votes = await listVotes(
    db,
    pending.map(({ id }) => id),
  );
  const asked = new Map<string, Asked | undefined>();
  const outlooks = new Map<string, Outlook>();
  for (const request of pending) {
    const key = { accountId: request.accountId, id: request.workflowId };
    if (!asked.has(key.id)) asked.set(key.id, await readAsked(db, await findWorkflow(db, key)));
    const { workflow, people = [] } = asked.get(key.id) ?? {};
    outlooks.set(request.id, judgeOutlook(request, { workflow, people, votes: votes.get(request.id) ?? [] }));
  }
  return outlooks;
}

async function readAsked(db: AnyDatabase, workflow: ApprovalWorkflow | undefined): Promise<Asked | undefined> {
  return workflow === undefined ? undefined : { workflow, people: await listAsked(db, workflow) };
}

/** Lists the approvers of a workflow, including the users to whom a request may be escalated. */
function listAsked(db: AnyDatabase, workflow: ApprovalWorkflow): Promise<Decider[]> {
  const { accountId, approverUserIds, approverRoles: roles, escalateAfterSeconds, escalationUserIds } = workflow;
  const isForAll = approverUserIds.length === 0 && roles.length === 0;
  const userIds = [...approverUserIds, ...(escalateAfterSeconds === null ? [] : escalationUserIds)];
  return listDeciders(db, { accountId, wanted: isForAll ? undefined : { userIds, roles }, limit: ENOUGH });
}
