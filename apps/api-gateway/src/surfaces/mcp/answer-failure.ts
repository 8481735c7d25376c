import type { CallToolResult } from '@modelcontextprotocol/server';
import { toClientError } from '@steward/http';
import type { Logger } from '@steward/process';
import type { McpCaller } from './tool.ts';
import { answerError, refuse } from './tool-results.ts';

/** Codes of refusals that are temporary. */
const TEMPORARY: ReadonlySet<string> = new Set(['rate_limited', 'unavailable']);
/** Key in `_meta` of such a refusal, which distinguishes it from the result of a tool. */
const MAY_REPEAT = 'steward/may_repeat';

/** Removes the mark of temporary refusals from a result, because the server of the tool may have set it. */
export function withoutMark(result: CallToolResult | undefined): CallToolResult | undefined {
  if (result?._meta?.[MAY_REPEAT] === undefined) return result;
  const { [MAY_REPEAT]: _mark, ...meta } = result._meta;
  return { ...result, _meta: meta };
}

/**
 * Presents a failed call as a tool error; internal details are only logged. The code `unavailable` tells an agent that
 * the failure is temporary (the database was unavailable, for example), and that the agent may repeat the call.
 */
export function answerFailure(error: unknown, logger: Logger, caller: McpCaller): CallToolResult {
  const { status, code, message } = toClientError(error);
  if (status >= 500) {
    const answer = answerFinalFailure(error, logger, caller);
    if (code !== 'unavailable') return answer;
  }
  const refusal = refuse(code, message);
  return TEMPORARY.has(code) ? { ...refusal, _meta: { [MAY_REPEAT]: true } } : refusal;
}

/**
 * Presents a failed call as `answerFailure` does, but never with the code `unavailable`: the approval of the call was
 * used up, so the call cannot be made again.
 */
export function answerFinalFailure(error: unknown, logger: Logger, { requestId }: McpCaller): CallToolResult {
  const known = toClientError(error);
  if (known.status < 500) return refuse(known.code, known.message);
  logger.error('mcp.call_failed', { request_id: requestId, error });
  return answerError(`The call failed: ${known.message} (request ${requestId})`);
}
