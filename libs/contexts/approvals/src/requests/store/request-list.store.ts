import { sql } from 'kysely';
import { pageById, type AnyDatabase, type IdPage } from '@steward/database';
import { tables } from '../../schema.ts';
import type { ApprovalRequest, ApprovalStatus } from '../approval-request.ts';
import type { Voter } from '../rules/may-vote.ts';
import { toRequest } from './approval-request.store.ts';

export interface RequestFilter extends IdPage {
  readonly status?: ApprovalStatus | undefined;
  readonly workflowId?: string | undefined;
  /** Matches any of these ids, because an agent may have been merged. */
  readonly managedAgentIds?: readonly string[] | undefined;
  readonly executionId?: string | undefined;
  readonly runtimeSessionId?: string | undefined;
  /** Limits the list to pending requests that this person may vote on and has not voted on. */
  readonly openTo?: Pick<Voter, 'userId' | 'role'> | undefined;
}

/** Lists requests, newest first; one row more than requested shows whether there is another page. */
export async function listRequests(db: AnyDatabase, filter: RequestFilter): Promise<ApprovalRequest[]> {
  const { accountId, status, workflowId, managedAgentIds, executionId, runtimeSessionId, openTo } = filter;
  const rows = await tables(db)
    .selectFrom('approvals.approval_request as request')
    .selectAll('request')
    .where('request.account_id', '=', accountId)
    .$if(status !== undefined, (query) => query.where('status', '=', status as ApprovalStatus))
    .$if(workflowId !== undefined, (query) => query.where('approval_workflow_id', '=', workflowId as string))
    .$if(managedAgentIds !== undefined, (query) => query.where('managed_agent_id', 'in', [...(managedAgentIds ?? [])]))
    .$if(executionId !== undefined, (query) => query.where('execution_id', '=', executionId as string))
    .$if(runtimeSessionId !== undefined, (query) => query.where('runtime_session_id', '=', runtimeSessionId as string))
    .$if(openTo !== undefined, (query) => query.where('status', '=', 'pending').where(isOpenTo(openTo as Voter)))
    .$call((query) => pageById(query, filter, 'request.id'))
    .execute();
  return rows.map(toRequest);
}

/**
 * Returns an SQL condition that applies the rule of `refuseVoter` to many rows, and excludes requests on which the
 * person has voted.
 */
function isOpenTo({ userId, role }: Pick<Voter, 'userId' | 'role'>) {
  return sql<boolean>`
    exists (
      select from approvals.approval_workflow w
      where w.account_id = request.account_id and w.id = request.approval_workflow_id
        and (w.allow_self_approval or request.requester_user_id <> ${userId})
        and (
          (w.approver_user_ids = '{}' and w.approver_roles = '{}') or ${userId}::uuid = any(w.approver_user_ids)
          or ${role} = any(w.approver_roles)
          or (request.escalated_at is not null and ${userId}::uuid = any(w.escalation_user_ids))
        )
    )
    and not exists (
      select from approvals.approval_vote v where v.request_id = request.id and v.user_id = ${userId}
    )
  `;
}
