import type { IncomingHttpHeaders } from 'node:http';
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { Principal } from '@steward/contracts';
import type { ListedOffers, OfferKind, ServerNotice } from '@steward/mcp-client';

/** The caller of one request, and facts about the request. */
export interface McpCaller {
  readonly principal: Principal;
  readonly requestId: string;
  readonly traceparent: string;
  readonly headers: IncomingHttpHeaders;
}

/** One tool call. */
export interface McpCall {
  readonly caller: McpCaller;
  /**
   * Arguments of the call. Numbers may keep their original notation (`parseExactJson`), so that the policy, approvals
   * and the server get identical values.
   */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Aborted when the client disconnects or cancels the call. */
  readonly signal: AbortSignal;
  /** Session of the call, if it is already known. */
  readonly sessionId?: string | undefined;
  /** Sends progress to the client; undefined if the client did not request it. */
  readonly reportProgress: ReportProgress | undefined;
  /** Receives log messages of the tool's server; undefined if the client wants no messages. */
  readonly onLog?: ((params: Readonly<Record<string, unknown>>) => void) | undefined;
  /** Minimum level that the client wants; if undefined, the default of the server applies. */
  readonly logLevel?: string | undefined;
  /**
   * Maximum time that the call waits for people before it returns. If undefined, only the workflow and the timeout of
   * clients limit this time.
   */
  readonly waitSeconds: number | undefined;
  /** Metadata of the call. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Id of the call in the agent's transcript, if the transcript belongs to the session of this call. */
  readonly agentCallId?: string | undefined;
}

export type ReportProgress = (progress: {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}) => Promise<void>;

/** A tool that handles the approval of its calls itself. */
export interface BuiltinTool {
  readonly definition: Tool;
  /** @throws AppError, which the agent gets as a failure of the tool */
  readonly call: (call: McpCall) => Promise<CallToolResult>;
}

/** Data of a tool that the decision about its calls depends on. */
export interface DecidedTool {
  /** Server name that policies use. */
  readonly server: string;
  readonly name: string;
  /** Whether the definition has changed since it was accepted. */
  readonly isChanged: boolean;
  /**
   * Hash of the definition in hexadecimal; undefined for tools of the service and of trackers, and for resources and
   * prompts.
   */
  readonly definitionHash?: string;
}

/** A tool for which every call is decided according to the policy before it is made. */
export interface GovernedTool extends DecidedTool {
  /** Definition that agents see. */
  readonly definition: Tool;
  /**
   * Whether the tool reads the session of its call (`McpCall.sessionId`); if so, the session is determined before the
   * call.
   */
  readonly readsSession?: boolean;
  /** @throws AppError, which the agent gets as a failure of the tool */
  readonly run: (call: McpCall) => Promise<CallToolResult>;
}

/** Source of a caller's tools. */
export interface ToolSource {
  /** Lists the caller's tools in a stable order. */
  readonly list: (caller: McpCaller) => Promise<readonly GovernedTool[]>;
  /** Lists the account's enabled servers, sorted by name, for their resources and prompts. */
  readonly servers: (caller: McpCaller) => Promise<readonly OfferingServer[]>;
}

/** A server, as a source of resources and prompts. */
export interface OfferingServer {
  readonly name: string;
  /** Identifies the server with its settings; changes when its address, headers or login change. */
  readonly key: string;
  /**
   * Reads a resource (`uri`). The policy decides about the request, and the request is recorded like a tool call, but
   * reading is not listed as a tool.
   */
  readonly read: GovernedTool;
  /** Gets a prompt (`name`, `arguments`). */
  readonly prompt: GovernedTool;
  /** @throws ServerRefusal, AppError */
  readonly complete: (params: Readonly<Record<string, unknown>>, call: McpCall) => Promise<object>;
  /** Receives the server's notifications until the signal is aborted. */
  readonly listen: (
    uris: readonly string[],
    onNotice: (notice: ServerNotice) => void,
    signal: AbortSignal,
  ) => Promise<void>;
  /** Lists the resources, resource templates or prompts of the server. @throws AppError */
  readonly offers: (kind: OfferKind, signal: AbortSignal) => Promise<ListedOffers>;
}
