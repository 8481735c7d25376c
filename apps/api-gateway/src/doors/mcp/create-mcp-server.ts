import { ProtocolError, ProtocolErrorCode, type CallToolResult, type Tool } from '@modelcontextprotocol/server';
import { continueTrace, readTraceId } from '@steward/crypto';
import { toClientError } from '@steward/http';
import { fitToObject, fitToolToObject } from '@steward/mcp-client';
import type { Logger } from '@steward/process';
import { answerFailure } from './answer-failure.ts';
import type { Cancellations } from './cancellations.ts';
import { DoorServer } from './door-server.ts';
import type { ReadArguments } from './exact-messages.ts';
import type { McpCall, McpCaller, ReportProgress } from './tool.ts';

export interface McpTools {
  /** Those the caller may call, in an order that stays the same. */
  readonly list: (caller: McpCaller) => Promise<readonly Tool[]>;
  /** Undefined: there is no such tool. */
  readonly call: (name: string, call: McpCall) => Promise<CallToolResult | undefined>;
}

/** In `_meta` of a call: how long it may wait for people. Programs that poll set 0. */
const WAIT_SECONDS_KEY = 'steward/wait_seconds';
const INFO = { name: 'steward', version: '1' };
/** How long a client may keep a list before it asks again. */
const LIST_LASTS_MS = 30_000;
const LIST_PAGE = 200;

/** One server for one request: nothing is kept between requests, so any process answers any of them. */
export function createMcpServer(
  deps: { readonly tools: McpTools; readonly cancellations: Cancellations; readonly logger: Logger },
  { caller, readArguments }: { readonly caller: McpCaller; readonly readArguments: ReadArguments },
): DoorServer {
  const { tools, cancellations, logger } = deps;
  const server = new DoorServer(INFO, {
    capabilities: { tools: {} },
    cacheHints: { 'tools/list': { ttlMs: LIST_LASTS_MS, cacheScope: 'private' } },
  });
  server.setRequestHandler('tools/list', async ({ params }, { mcpReq }) => {
    const fit = (tool: Tool): Tool => (isOf2026(mcpReq) ? tool : fitToolToObject(tool));
    return guard(async () => pageOf((await tools.list(caller)).map(fit), params?.cursor), logger, caller);
  });
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { name, _meta: meta } = params;
    const progressToken = meta?.progressToken;
    const reportProgress: ReportProgress | undefined =
      progressToken === undefined
        ? undefined
        : (progress) => mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...progress } });
    const { signal, end } = cancellations.follow(caller, mcpReq.id, mcpReq.signal);
    const result = await tools
      .call(name, {
        caller: traceCaller(caller, meta),
        arguments: readArguments(mcpReq.id),
        signal,
        reportProgress,
        waitSeconds: readWaitSeconds(meta),
      })
      .catch((error: unknown) => answerFailure(error, logger, caller))
      .finally(end);
    if (result === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
    return server.answer(mcpReq.id, isOf2026(mcpReq) ? result : fitToObject(result));
  });
  return server;
}

/** Its requests say of themselves what others agreed on when they began. */
function isOf2026({ envelope }: { readonly envelope?: unknown }): boolean {
  return envelope !== undefined;
}

/** Clients of the protocol name the trace of a call beside its arguments; others, that of its request. */
function traceCaller(caller: McpCaller, meta: Readonly<Record<string, unknown>> | undefined): McpCaller {
  const traceparent = meta?.['traceparent'];
  return readTraceId(traceparent) === undefined ? caller : { ...caller, traceparent: continueTrace(traceparent) };
}

/** What is no number of seconds is left aside, as all of `_meta` that a server does not know. */
function readWaitSeconds(meta: Readonly<Record<string, unknown>> | undefined): number | undefined {
  const seconds = meta?.[WAIT_SECONDS_KEY];
  return typeof seconds === 'number' && seconds >= 0 ? seconds : undefined;
}

/** Sorted by name: a cursor is the name of the last tool. */
function pageOf(tools: readonly Tool[], cursor = ''): { tools: Tool[]; nextCursor?: string } {
  const rest = tools.filter(({ name }) => name > cursor);
  const page = rest.slice(0, LIST_PAGE);
  const last = page.at(-1);
  return rest.length > page.length && last !== undefined ? { tools: page, nextCursor: last.name } : { tools: page };
}

/** What the SDK is thrown it tells the client, text and all. */
async function guard<T>(work: () => Promise<T>, logger: Logger, { requestId }: McpCaller): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const known = toClientError(error);
    if (known.status >= 500) logger.error('mcp.list_failed', { request_id: requestId, error });
    throw new ProtocolError(ProtocolErrorCode.InternalError, known.message);
  }
}
