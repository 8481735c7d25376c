import { queryOptions } from '@tanstack/react-query';
import type { ApprovalDecision, ApprovalPage, ApprovalRequest } from '../api/answers.ts';
import { read, request } from '../api/request.ts';
import { accountKey } from './query-client.ts';
import { showPage, showRequest } from './show-request.ts';

const PATH = '/api/v1/approval-requests';
const LIVE_MS = 5000;
/** Refresh interval for the calls of a running execution. */
const RUN_MS = 2000;

export const approvalsKey = (): readonly unknown[] => accountKey('approvals');

/**
 * Query of a list of requests. A list of pending requests is refreshed while it is shown, because somebody is waiting
 * for the decision.
 */
export const approvalsQuery = (status: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: [...approvalsKey(), 'list', status, cursor],
    queryFn: read<ApprovalPage>(PATH, { status: status === 'all' ? undefined : status, cursor }),
    select: showPage,
    refetchInterval: status === 'pending' ? LIVE_MS : false,
  });

/** Query of the currently waiting calls of a run. */
export const approvalsOfRunQuery = (executionId: string) =>
  queryOptions({
    queryKey: [...approvalsKey(), 'of-run', executionId],
    queryFn: read<ApprovalPage>(PATH, { status: 'pending', execution_id: executionId }),
    select: showPage,
    refetchInterval: RUN_MS,
  });

export const approvalQuery = (requestId: string) =>
  queryOptions({
    queryKey: [...approvalsKey(), 'one', requestId],
    queryFn: read<ApprovalRequest>(`${PATH}/${encodeURIComponent(requestId)}`),
    select: showRequest,
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? LIVE_MS : false),
  });

export interface Decision {
  readonly decision: ApprovalDecision;
  readonly comment: string;
}

export function decide(requestId: string, { decision, comment }: Decision): Promise<ApprovalRequest> {
  return request<ApprovalRequest>('POST', `${PATH}/${encodeURIComponent(requestId)}/decide`, {
    body: { decision, ...(comment === '' ? {} : { comment }) },
  });
}
