import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { AppError } from '@steward/contracts';
import type { RouteResult } from '@steward/http';
import type { Logger } from '@steward/process';
import { createCancellations, nameSession, SESSION_HEADER } from './cancellations.ts';
import { createMcpServer, type McpTools } from './create-mcp-server.ts';
import { readMessages } from './exact-messages.ts';
import { createLogLevels } from './log-levels.ts';
import type { McpOffers } from './offers/mcp-offers.ts';
import { createChangeBus } from './streams/change-bus.ts';
import type { FeedDeps } from './streams/change-feed.ts';
import { STREAM_MS, type Subscriptions } from './streams/open-stream.ts';
import type { McpCaller } from './tool.ts';

export interface McpRequest {
  /** Parsed message. */
  readonly message: unknown;
  /** String from which the message was parsed. */
  readonly text: string;
  readonly caller: McpCaller;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface McpService {
  readonly serve: (request: McpRequest) => Promise<RouteResult>;
  /** Ends the streams of clients that listen for changes. */
  readonly endStreams: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const KEEP_ALIVE_MS = 25_000;
/** Maximum number of resources that a stream may listen to (LIM-84). */
const MOST_LISTENED = 100;
/**
 * Maximum number of messages in a batch, for protocol revisions that have batches; each message costs as much as a
 * request.
 */
const MAX_BATCH = 20;
/**
 * Headers that are not passed to the SDK: credentials, which have already been checked, and headers that describe the
 * body, which has been read.
 */
const WITHHELD = new Set(['authorization', 'cookie', 'content-length', 'content-encoding', 'transfer-encoding']);

/**
 * Creates the service that handles the requests of all protocol revisions, each separately, with the official SDK. When
 * the client disconnects, its stream ends, and the work for the stream is cancelled.
 */
export function createMcpService(deps: {
  readonly tools: McpTools;
  readonly offers: McpOffers;
  readonly subscriptions: Subscriptions;
  readonly feed: FeedDeps;
  readonly logger: Logger;
}): McpService {
  const callers = new WeakMap<object, Parameters<typeof createMcpServer>[1]>();
  const cancellations = createCancellations();
  const levels = createLogLevels();
  const onerror = (error: Error): void => deps.logger.debug('mcp.refused', { error });
  const createServer: Parameters<typeof createMcpHandler>[0] = ({ requestInfo }) => {
    const caller = requestInfo === undefined ? undefined : callers.get(requestInfo);
    if (caller === undefined) throw new Error('a request without a caller');
    return createMcpServer({ ...deps, cancellations, levels }, caller);
  };
  const handler: McpHttpHandler = createMcpHandler(createServer, { maxSubscriptions: 0, onerror });
  const streams = new Set<McpHttpHandler>();
  /**
   * Opens the handler of one stream. The SDK sends the same messages to all streams of a handler, so each stream has
   * its own handler.
   */
  const openListening = (caller: McpCaller, uris: readonly string[]): Serving => {
    const end = (): void => void opened.close();
    const timer = setTimeout(end, STREAM_MS).unref();
    const bus = createChangeBus(deps.feed, { caller, uris, onEnd: end });
    const opened: McpHttpHandler = createMcpHandler(createServer, {
      bus,
      maxSubscriptions: 1,
      keepAliveMs: KEEP_ALIVE_MS,
      onerror,
    });
    streams.add(opened);
    const forget = (): void => {
      clearTimeout(timer);
      streams.delete(opened);
    };
    return { fetch: (request, options) => opened.fetch(request, options), forget };
  };
  return {
    async serve({ message, text, caller, signal }) {
      if (Array.isArray(message) && message.length > MAX_BATCH) {
        throw new AppError('payload_too_large', { message: `A batch can have at most ${MAX_BATCH} messages.` });
      }
      const request = new Request('http://steward.internal/mcp/v1', {
        method: 'POST',
        headers: listHeaders(caller),
        signal,
      });
      callers.set(request, { caller, readArguments: readMessages(message, text) });
      for (const each of Array.isArray(message) ? message : [message]) cancellations.readMessage(caller, each);
      const uris = readListened(message);
      const more = isFirst(message) ? { [SESSION_HEADER]: nameSession() } : {};
      if (uris === undefined) return readResponse(await handler.fetch(request, { parsedBody: message }), more);
      return listen(openListening(caller, uris), request, message);
    },
    async endStreams() {
      await Promise.all([...streams].map((each) => each.close()));
    },
    close: () => handler.close(),
  };
}

/** A handler of one stream, and the function that removes it. */
interface Serving extends Pick<McpHttpHandler, 'fetch'> {
  readonly forget: () => void;
}

/**
 * Returns the response to a request for a stream. The handler of the stream is removed when the stream ends, or at once
 * if the request is refused.
 */
async function listen({ fetch, forget }: Serving, request: Request, message: unknown): Promise<RouteResult> {
  try {
    const result = await readResponse(await fetch(request, { parsedBody: message }), {});
    if ('source' in result) result.source.once('close', forget);
    else forget();
    return result;
  } catch (error) {
    forget();
    throw error;
  }
}

/** Returns whether a message requests a stream, as clients of the 2026 revision do. */
export function isListening(message: unknown): boolean {
  return readListened(message) !== undefined;
}

/** Returns at most `MOST_LISTENED` of the resources that the message names; undefined if it requests no stream. */
function readListened(message: unknown): readonly string[] | undefined {
  const { method, params } = (message ?? {}) as {
    readonly method?: unknown;
    readonly params?: { readonly notifications?: { readonly resourceSubscriptions?: unknown } };
  };
  if (method !== 'subscriptions/listen') return undefined;
  const uris = params?.notifications?.resourceSubscriptions;
  if (!Array.isArray(uris)) return [];
  return uris.filter((uri) => typeof uri === 'string').slice(0, MOST_LISTENED);
}

function listHeaders({ headers }: McpCaller): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && !WITHHELD.has(name) ? [[name, value]] : [],
  );
}

/** Returns whether a message is the first one of a client of a revision with sessions. */
function isFirst(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'method' in message && message.method === 'initialize';
}

/**
 * Converts a response of the SDK: a complete response is sent together with its headers in one write; a stream is sent
 * as it arrives.
 */
async function readResponse(response: Response, more: Readonly<Record<string, string>>): Promise<RouteResult> {
  const { status, headers, body } = response;
  if (body === null) return { status };
  const head = { status, headers: { ...Object.fromEntries(headers), ...more } };
  const mediaType = headers.get('content-type') ?? '';
  if (/^application\/json\b/i.test(mediaType))
    return { ...head, mediaType, bytes: new Uint8Array(await response.arrayBuffer()) };
  return { ...head, source: Readable.fromWeb(body as ReadableStream<Uint8Array>) };
}
