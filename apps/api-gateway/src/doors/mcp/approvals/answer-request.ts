import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ApprovalRequest } from '@steward/slice-approvals';
import { answerError, answerStructured } from '../tool-results.ts';

/** People take their time; asking costs a statement or two. */
const POLL_AFTER_SECONDS = 5;

/** What an agent reads of a request whose call does nothing by itself, or cannot any more. */
export function answerRequest(request: ApprovalRequest): CallToolResult {
  const { status, comment } = request;
  if (status === 'pending') return answerPending(request);
  if (status === 'approved') return answerStructured({ status, answer: comment });
  return answerError(comment === null ? `The request was ${status}.` : `The request was ${status}: ${comment}`);
}

export function answerPending({ id, expiresAt }: ApprovalRequest): CallToolResult {
  return answerStructured({
    status: 'pending_approval',
    approval_request_id: id,
    poll_after_seconds: POLL_AFTER_SECONDS,
    expires_at: expiresAt.toISOString(),
  });
}
