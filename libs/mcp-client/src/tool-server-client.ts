import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import type { ServerNotice } from './call-transport.ts';

export type ListedTool = Tool;
export type ToolResult = CallToolResult;

/** A stored server, with what is needed for requests. */
export interface ToolServerTarget {
  /**
   * Identifies the connections that can be reused; changes with every save, because a connection belongs to one address
   * and its headers.
   */
  readonly key: string;
  /** Name of the server in error messages. */
  readonly name: string;
  readonly url: string;
  /** Headers that are sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** True if the server is a program that a flow worker runs. */
  readonly isProgram?: boolean;
  /**
   * Returns the token of a server with a login; the token is sent with every request instead of the configured header.
   * @param stale - the token that the server rejected
   */
  readonly authorize?: (stale?: string) => Promise<string>;
  /**
   * Called a second after the server has reported a change to its tools; only once for all reports within this second.
   */
  readonly onToolsChanged?: () => void;
}

export interface ListedTools {
  /**
   * Tool descriptions from the server, without the parts that clients reject. Numbers keep their notation
   * (`parseExactJson`).
   */
  readonly tools: readonly ListedTool[];
  /** Messages from Steward that describe the omissions and name the tools. */
  readonly faults: readonly string[];
}

export interface ToolServerCall {
  readonly name: string;
  /** Arguments of the call; numbers may keep their notation (`parseExactJson`). */
  readonly arguments: Readonly<Record<string, unknown>>;
  /**
   * Id of the caller: an older server with sessions has a separate session for each caller. The id is never sent to the
   * server.
   */
  readonly caller: string;
  /** Trace context that is sent to the server. */
  readonly traceparent: string;
  readonly signal: AbortSignal;
  /** Receives the progress of the call; if undefined, no progress is requested. */
  readonly onProgress?: (progress: {
    readonly progress: number;
    readonly total?: number;
    readonly message?: string;
  }) => void;
  /** Receives log messages of the server for this call (`level`, `logger`, `data`). */
  readonly onLog?: (params: Readonly<Record<string, unknown>>) => void;
  /** The requested log level; if undefined, the server chooses it. */
  readonly logLevel?: string;
}

/** Features of a server in addition to its tools. */
export type OfferKind = 'resources' | 'resourceTemplates' | 'prompts';
export type Offer = Readonly<Record<string, unknown>>;

export interface ListedOffers {
  /** Offers from the server, without parts that clients reject; empty if the server has none. */
  readonly offers: readonly Offer[];
  /** Messages from Steward that describe the omissions. */
  readonly faults: readonly string[];
}

/** A request, other than a tool call, to a server; its response has the same limits as that of a tool call. */
export interface ServerRequest extends Omit<ToolServerCall, 'name' | 'arguments'> {
  readonly method: 'resources/read' | 'prompts/get' | 'completion/complete';
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * A protocol error of a server, with the server's own message, or the error for a server that sent a request to its
 * client.
 */
export class ServerRefusal extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** A listener for notifications of a server. */
export interface Listening {
  readonly caller: string;
  /** Resources whose changes are reported. */
  readonly uris: readonly string[];
  readonly onNotice: (notice: ServerNotice) => void;
  readonly signal: AbortSignal;
}

/**
 * Client of tool servers. If a server fails, the methods reject with `provider_unreachable` or `provider_timeout`,
 * whose messages contain no data sent by the server; errors of `authorize` are passed on.
 */
export interface ToolServerClient {
  /** Lists all tools. */
  listTools(target: ToolServerTarget, signal: AbortSignal): Promise<ListedTools>;
  /**
   * Returns the server's response. Numbers keep their notation, and items that clients reject are converted to text. A
   * protocol error becomes a result with `isError`.
   */
  callTool(target: ToolServerTarget, call: ToolServerCall): Promise<ToolResult>;
  /** Lists the offers of one kind, at most 1000. */
  listOffers(target: ToolServerTarget, kind: OfferKind, signal: AbortSignal): Promise<ListedOffers>;
  /**
   * Returns the server's response, corrected if clients would reject it.
   * @throws ServerRefusal, AppError
   */
  request(target: ToolServerTarget, request: ServerRequest): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Sends a request to a path of one of Steward's own servers, without using the Model Context Protocol. Returns the
   * JSON of the response.
   * @throws AppError
   */
  readJson(target: ToolServerTarget, path: string, signal: AbortSignal, method?: 'GET' | 'DELETE'): Promise<unknown>;
  /**
   * Listens for notifications until the signal is aborted or the client is closed; the connection is opened again
   * whenever it has ended or failed.
   */
  listen(target: ToolServerTarget, listening: Listening): Promise<void>;
  close(): Promise<void>;
}
