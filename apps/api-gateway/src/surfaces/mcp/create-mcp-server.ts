import {
  LOG_LEVEL_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import { continueTrace, readTraceId } from '@steward/crypto';
import { toClientError } from '@steward/http';
import { fitToObject, fitToolToObject, type OfferKind } from '@steward/mcp-client';
import type { Logger } from '@steward/process';
import { answerFailure, withoutMark } from './answer-failure.ts';
import type { Cancellations } from './cancellations.ts';
import { UnchangedResultsServer } from './unchanged-results-server.ts';
import type { ReadArguments } from './exact-messages.ts';
import { isAtLeast, type LogLevels } from './log-levels.ts';
import type { McpOffers } from './offers/mcp-offers.ts';
import type { Subscriptions } from './streams/open-stream.ts';
import type { McpCall, McpCaller, ReportProgress } from './tool.ts';

export interface McpTools {
  /** Lists the tools that the caller may call, in a stable order. */
  readonly list: (caller: McpCaller) => Promise<readonly Tool[]>;
  /** Calls a tool; returns undefined if there is no such tool. */
  readonly call: (name: string, call: McpCall) => Promise<CallToolResult | undefined>;
}

/**
 * Key in `_meta` of a call for the maximum time that the call waits for people. Clients that poll set this time to 0.
 */
const WAIT_SECONDS_KEY = 'steward/wait_seconds';
const INFO = { name: 'steward', version: '1' };
/** Time for which a client may cache a list. */
const LIST_LASTS_MS = 30_000;
const LIST_PAGE = 200;

interface ServerDeps {
  readonly tools: McpTools;
  readonly offers: McpOffers;
  readonly subscriptions: Subscriptions;
  readonly cancellations: Cancellations;
  readonly levels: LogLevels;
  readonly logger: Logger;
}

interface ServedCaller {
  readonly caller: McpCaller;
  readonly readArguments: ReadArguments;
}

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};
const LISTED = { ttlMs: LIST_LASTS_MS, cacheScope: 'private' } as const;

/**
 * Creates the server of one request: the server retains no state for later requests, so any process can handle any
 * request.
 */
export function createMcpServer(deps: ServerDeps, served: ServedCaller): UnchangedResultsServer {
  const { tools, logger } = deps;
  const { caller, readArguments } = served;
  const server = new UnchangedResultsServer(INFO, {
    capabilities: CAPABILITIES,
    cacheHints: {
      'tools/list': LISTED,
      'prompts/list': LISTED,
      'resources/list': LISTED,
      'resources/templates/list': LISTED,
      'resources/read': { ttlMs: 0, cacheScope: 'private' },
    },
  });
  server.setRequestHandler('tools/list', async ({ params }, { mcpReq }) => {
    const fit = (tool: Tool): Tool => (isOf2026(mcpReq) ? tool : fitToolToObject(tool));
    return guard(logger, caller, async () => {
      const { page, nextCursor } = pageOf((await tools.list(caller)).map(fit), ({ name }) => name, params?.cursor);
      return { tools: page, ...nextCursor };
    });
  });
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { name } = params;
    const { call, end } = describeCall(deps, served, { params, mcpReq });
    const result = await tools
      .call(name, { ...call, arguments: readArguments(mcpReq.id) })
      .then(withoutMark)
      .catch((error: unknown) => answerFailure(error, logger, caller))
      .finally(end);
    if (result === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
    return server.answer(mcpReq.id, isOf2026(mcpReq) ? result : fitToObject(result));
  });
  serveOffers(server, deps, served);
  const { subscriptions } = deps;
  server.setRequestHandler('resources/subscribe', ({ params }) =>
    guard(logger, caller, () => subscriptions.subscribe(caller, params.uri)),
  );
  server.setRequestHandler('resources/unsubscribe', ({ params }) =>
    guard(logger, caller, () => subscriptions.unsubscribe(caller, params.uri)),
  );
  server.setRequestHandler('logging/setLevel', ({ params }) => {
    deps.levels.set(caller, params.level);
    return {};
  });
  return server;
}

/** Serves the resources, prompts and completions of tool servers. */
function serveOffers(server: UnchangedResultsServer, deps: ServerDeps, served: ServedCaller): void {
  const { offers, logger } = deps;
  const { caller } = served;
  const list = async (kind: OfferKind, key: string, cursor: string | undefined) => {
    const listed = await guard(logger, caller, () => offers.list(kind, caller));
    const { page, nextCursor } = pageOf(listed, (offer) => String(offer[key]), cursor);
    return { [kind]: page, ...nextCursor } as never;
  };
  const ask = (request: RequestFacts, work: (call: McpCall) => Promise<object>) => {
    const { call, end } = describeCall(deps, served, request);
    return guard(logger, caller, () => work(call)).finally(end) as never;
  };
  server.setRequestHandler('resources/list', ({ params }) => list('resources', 'uri', params?.cursor));
  server.setRequestHandler('resources/templates/list', ({ params }) =>
    list('resourceTemplates', 'uriTemplate', params?.cursor),
  );
  server.setRequestHandler('prompts/list', ({ params }) => list('prompts', 'name', params?.cursor));
  server.setRequestHandler('resources/read', ({ params }, { mcpReq }) =>
    ask({ params, mcpReq }, (call) => offers.read(params.uri, call)),
  );
  server.setRequestHandler('prompts/get', ({ params }, { mcpReq }) =>
    ask({ params, mcpReq }, (call) => offers.prompt(params.name, params.arguments, call)),
  );
  server.setRequestHandler('completion/complete', ({ params }, { mcpReq }) => {
    const { _meta, ...asked } = params;
    return ask({ params, mcpReq }, (call) => offers.complete(asked, call));
  });
}

interface RequestFacts {
  readonly params: { readonly _meta?: Readonly<Record<string, unknown>> | undefined };
  readonly mcpReq: ServerContext['mcpReq'];
}

/**
 * Describes a request as the call that its handler gets, without arguments. `end` must be called when the request is
 * over.
 */
function describeCall(
  { cancellations, levels }: ServerDeps,
  { caller }: ServedCaller,
  { params: { _meta: meta }, mcpReq }: RequestFacts,
): { readonly call: McpCall; readonly end: () => void } {
  const progressToken = meta?.['progressToken'] as string | number | undefined;
  const reportProgress: ReportProgress | undefined =
    progressToken === undefined
      ? undefined
      : (progress) => mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...progress } });
  const logLevel = isOf2026(mcpReq) ? readLogLevel(mcpReq) : levels.get(caller);
  // A client of the 2026 revision that names no level wants no log messages.
  const isLogged = !isOf2026(mcpReq) || logLevel !== undefined;
  const onLog: McpCall['onLog'] = (log) => {
    if (!isAtLeast(log['level'], logLevel)) return;
    void mcpReq.notify({ method: 'notifications/message', params: log as never }).catch(() => undefined);
  };
  const { signal, end } = cancellations.follow(caller, mcpReq.id, mcpReq.signal);
  const waitSeconds = readWaitSeconds(meta);
  return {
    call: {
      caller: traceCaller(caller, meta),
      arguments: {},
      signal,
      reportProgress,
      waitSeconds,
      meta,
      ...(isLogged ? { onLog, logLevel } : {}),
    },
    end,
  };
}

function readLogLevel({ envelope }: ServerContext['mcpReq']): string | undefined {
  const level = (envelope as Readonly<Record<string, unknown>> | undefined)?.[LOG_LEVEL_META_KEY];
  return typeof level === 'string' ? level : undefined;
}

/**
 * Returns whether a request is of the 2026 revision: such a request contains the values that clients of earlier
 * revisions negotiate at initialization.
 */
function isOf2026({ envelope }: { readonly envelope?: unknown }): boolean {
  return envelope !== undefined;
}

/**
 * Continues the trace that the metadata of a call names; if the metadata names none, the trace of the HTTP request is
 * used.
 */
function traceCaller(caller: McpCaller, meta: Readonly<Record<string, unknown>> | undefined): McpCaller {
  const traceparent = meta?.['traceparent'];
  return readTraceId(traceparent) === undefined ? caller : { ...caller, traceparent: continueTrace(traceparent) };
}

/** An invalid number of seconds is ignored, like all unknown parts of `_meta`. */
function readWaitSeconds(meta: Readonly<Record<string, unknown>> | undefined): number | undefined {
  const seconds = meta?.[WAIT_SECONDS_KEY];
  return typeof seconds === 'number' && seconds >= 0 ? seconds : undefined;
}

/**
 * Returns the page after the cursor. The items are sorted by key, because a cursor is the key of the last item of a
 * page.
 */
function pageOf<T>(
  all: readonly T[],
  keyOf: (item: T) => string,
  cursor = '',
): { readonly page: T[]; readonly nextCursor: { readonly nextCursor?: string } } {
  const rest = all.filter((item) => keyOf(item) > cursor).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const page = rest.slice(0, LIST_PAGE);
  const last = page.at(-1);
  const isCut = rest.length > page.length && last !== undefined;
  return { page, nextCursor: isCut ? { nextCursor: keyOf(last) } : {} };
}

/**
 * Replaces all errors except `ProtocolError` with errors without internal details, because the SDK sends the message of
 * every thrown error to the client.
 */
async function guard<T>(logger: Logger, { requestId }: McpCaller, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const known = toClientError(error);
    if (known.status >= 500) logger.error('mcp.request_failed', { request_id: requestId, error });
    throw new ProtocolError(ProtocolErrorCode.InternalError, known.message);
  }
}
