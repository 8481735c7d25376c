import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import type { ServerNotice } from './call-transport.ts';

export type ListedTool = Tool;
export type ToolResult = CallToolResult;

/** A server as it was saved. */
export interface ToolServerTarget {
  /** Another one for every save: what is kept of a connection is of one address and its headers. */
  readonly key: string;
  /** What errors call it. */
  readonly name: string;
  readonly url: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** A flow worker runs it, and answers for it. */
  readonly isProgram?: boolean;
  /**
   * The token of a server that somebody logged in at, sent with every request in place of what the headers say.
   * @param stale - The server does not take that one any more
   */
  readonly authorize?: (stale?: string) => Promise<string>;
  /** The server says that it offers something else now; within a second, and once for all it says meanwhile. */
  readonly onToolsChanged?: () => void;
}

export interface ListedTools {
  /** As the server describes them, but for what no client takes. Numbers are as they were written (`parseExactJson`). */
  readonly tools: readonly ListedTool[];
  /** What was left out, in our words and by the names of the tools. */
  readonly faults: readonly string[];
}

export interface ToolServerCall {
  readonly name: string;
  /** Numbers may be as they were written (`parseExactJson`). */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** On whose behalf: an old server that keeps sessions has one for each. Never sent. */
  readonly caller: string;
  /** The hop of the call's trace at the server. */
  readonly traceparent: string;
  readonly signal: AbortSignal;
  /** Undefined: nobody wants to know. */
  readonly onProgress?: (progress: {
    readonly progress: number;
    readonly total?: number;
    readonly message?: string;
  }) => void;
  /** Log messages of the server that come with the call (`level`, `logger`, `data`). */
  readonly onLog?: (params: Readonly<Record<string, unknown>>) => void;
  /** From which level on they are asked for; undefined: as the server sends them by itself. */
  readonly logLevel?: string;
}

/** What a server offers beside its tools. */
export type OfferKind = 'resources' | 'resourceTemplates' | 'prompts';
export type Offer = Readonly<Record<string, unknown>>;

export interface ListedOffers {
  /** As the server describes them, but for what no client takes; empty where it has none. */
  readonly offers: readonly Offer[];
  /** What was left out, in our words. */
  readonly faults: readonly string[];
}

/** What is asked of a server beside calls of its tools; an answer is within the limits of one of a call. */
export interface ServerRequest extends Omit<ToolServerCall, 'name' | 'arguments'> {
  readonly method: 'resources/read' | 'prompts/get' | 'completion/complete';
  readonly params: Readonly<Record<string, unknown>>;
}

/** An error of the protocol that a server answered, in its own words. */
export class ServerRefusal extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Somebody who hears what a server tells without being asked. */
export interface Listening {
  readonly caller: string;
  /** Resources whose changes are told. */
  readonly uris: readonly string[];
  readonly onNotice: (notice: ServerNotice) => void;
  readonly signal: AbortSignal;
}

/** Rejects with `provider_unreachable` and `provider_timeout`, which say what went wrong and nothing the server sent. */
export interface ToolServerClient {
  /** All of them. */
  listTools(target: ToolServerTarget, signal: AbortSignal): Promise<ListedTools>;
  /**
   * As the server answers, numbers as they were written, items that clients do not take as text; its protocol errors as a result with
   * `isError`.
   */
  callTool(target: ToolServerTarget, call: ToolServerCall): Promise<ToolResult>;
  /** All of one kind. */
  listOffers(target: ToolServerTarget, kind: OfferKind, signal: AbortSignal): Promise<ListedOffers>;
  /** As the server answers, put right where clients do not take it. @throws ServerRefusal, AppError */
  request(target: ToolServerTarget, request: ServerRequest): Promise<Readonly<Record<string, unknown>>>;
  /** What a server of the service's own says beside the protocol, at a path of its origin. @throws AppError */
  readJson(target: ToolServerTarget, path: string, signal: AbortSignal, method?: 'GET' | 'DELETE'): Promise<unknown>;
  /** Until the signal is aborted; a server that is away, or has nothing to tell, is asked again. */
  listen(target: ToolServerTarget, listening: Listening): Promise<void>;
  close(): Promise<void>;
}
