import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ApprovalRequest } from '@steward/approvals';
import { answerError, answerStructured } from '../tool-results.ts';

/**
 * Interval at which clients should poll; long, because people take time to decide, and each poll costs one or two
 * database statements.
 */
const POLL_AFTER_SECONDS = 5;

/**
 * Returns a tool result with the status of a request and, once the request has been decided, the comment. Makes no
 * call.
 */
export function answerRequest(request: ApprovalRequest): CallToolResult {
  const { status, comment } = request;
  if (status === 'pending') return answerPending(request);
  if (status === 'approved') return answerStructured({ status, answer: comment });
  return answerError(comment === null ? `The request was ${status}.` : `The request was ${status}: ${comment}`);
}

/**
 * Returns the result for a pending request.
 * @param stuckReason why nobody can currently approve it; for people who read the agent's result
 */
export function answerPending({ id, expiresAt }: ApprovalRequest, stuckReason: string | null = null): CallToolResult {
  return answerStructured({
    status: 'pending_approval',
    approval_request_id: id,
    poll_after_seconds: POLL_AFTER_SECONDS,
    expires_at: expiresAt.toISOString(),
    ...(stuckReason === null ? {} : { message: stuckReason }),
  });
}

/**
 * Returns the state and the id of a request, for a caller that does not know the id. With the id, the caller gets the
 * outcome of the request and the result of its call.
 */
export function answerFound(request: ApprovalRequest): CallToolResult {
  const { id, status } = request;
  return status === 'pending' ? answerPending(request) : answerStructured({ status, approval_request_id: id });
}

/** Returns the result which states that an approved call is still running, for this connection or another one. */
export function answerRunning({ id }: ApprovalRequest): CallToolResult {
  return answerStructured({ status: 'running', approval_request_id: id, poll_after_seconds: POLL_AFTER_SECONDS });
}

/** Returns the result for a call that may have been made, and is never repeated. */
export function answerUnknownOutcome({ id }: ApprovalRequest): CallToolResult {
  const message = 'The call was started, but its outcome is unknown. It will not be repeated.';
  return { ...answerStructured({ status: 'outcome_unknown', approval_request_id: id, message }), isError: true };
}

/**
 * Converts the result of a tool with an output schema to an error, since clients validate all results except errors
 * against that schema.
 */
export function withoutStructure(result: CallToolResult): CallToolResult {
  const { structuredContent: _structured, ...rest } = result;
  return { ...rest, isError: true };
}
