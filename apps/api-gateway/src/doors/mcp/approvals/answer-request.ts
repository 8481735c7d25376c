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

/** @param stuckReason why nobody can approve it as things are; for whoever reads what the agent got */
export function answerPending({ id, expiresAt }: ApprovalRequest, stuckReason: string | null = null): CallToolResult {
  return answerStructured({
    status: 'pending_approval',
    approval_request_id: id,
    poll_after_seconds: POLL_AFTER_SECONDS,
    expires_at: expiresAt.toISOString(),
    ...(stuckReason === null ? {} : { message: stuckReason }),
  });
}

/** Its call is being made, by this connection or another one. */
export function answerRunning({ id }: ApprovalRequest): CallToolResult {
  return answerStructured({ status: 'running', approval_request_id: id, poll_after_seconds: POLL_AFTER_SECONDS });
}

/** Nobody knows how far it came, and nobody tries again. */
export function answerUnknownOutcome({ id }: ApprovalRequest): CallToolResult {
  const message = 'The call was started and its outcome is unknown. It will not be repeated.';
  return { ...answerStructured({ status: 'outcome_unknown', approval_request_id: id, message }), isError: true };
}

/**
 * The answer of a tool that promises a form for its results: as an error, since clients hold everything else against that
 * form.
 */
export function withoutStructure(result: CallToolResult): CallToolResult {
  const { structuredContent: _structured, ...rest } = result;
  return { ...rest, isError: true };
}
