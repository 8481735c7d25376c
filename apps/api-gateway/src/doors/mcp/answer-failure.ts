import type { CallToolResult } from '@modelcontextprotocol/server';
import { toClientError } from '@steward/http';
import type { Logger } from '@steward/process';
import type { McpCaller } from './tool.ts';
import { answerError, refuse } from './tool-results.ts';

/** A call that failed, as an error of the tool: what went wrong inside is told the log alone. */
export function answerFailure(error: unknown, logger: Logger, { requestId }: McpCaller): CallToolResult {
  const known = toClientError(error);
  if (known.status < 500) return refuse(known.code, known.message);
  logger.error('mcp.call_failed', { request_id: requestId, error });
  return answerError(`The call failed: ${known.message} (request ${requestId})`);
}
