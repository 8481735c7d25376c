import type { IncomingHttpHeaders } from 'node:http';
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { Principal } from '@steward/contracts';

/** Whoever stands behind one request, and what its work is told by. */
export interface McpCaller {
  readonly principal: Principal;
  readonly requestId: string;
  readonly traceparent: string;
  readonly headers: IncomingHttpHeaders;
}

/** One call of a tool. */
export interface McpCall {
  readonly caller: McpCaller;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Aborted when the client has gone or cancelled the call. */
  readonly signal: AbortSignal;
  /** Undefined: the client did not ask for it. */
  readonly reportProgress: ReportProgress | undefined;
}

export type ReportProgress = (progress: {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}) => Promise<void>;

/** A tool of our own. */
export interface BuiltinTool {
  readonly definition: Tool;
  /** @throws AppError, which the agent reads as the tool's failure */
  readonly call: (call: McpCall) => Promise<CallToolResult>;
}
