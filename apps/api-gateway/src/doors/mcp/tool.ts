import type { IncomingHttpHeaders } from 'node:http';
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { Principal } from '@steward/contracts';
import type { ListedOffers, OfferKind, ServerNotice } from '@steward/mcp-client';

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
  /** Numbers may be as they were written (`parseExactJson`): the policy, approvals and the server get the same ones. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Aborted when the client has gone or cancelled the call. */
  readonly signal: AbortSignal;
  /** That it is made in, where that is known by now. */
  readonly sessionId?: string | undefined;
  /** Undefined: the client did not ask for it. */
  readonly reportProgress: ReportProgress | undefined;
  /** Log messages of the tool's server. Undefined: the client wants none. */
  readonly onLog?: ((params: Readonly<Record<string, unknown>>) => void) | undefined;
  /** From which level on the client wants them; undefined: as the server sends them. */
  readonly logLevel?: string | undefined;
  /** How long it may be held for people before it is answered. Undefined: as long as clients wait. */
  readonly waitSeconds: number | undefined;
  /** What stands beside its arguments. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** As its agent's transcript names it, where that is in the session of this call. */
  readonly agentCallId?: string | undefined;
}

export type ReportProgress = (progress: {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}) => Promise<void>;

/** What a call does with the approval it may need is its own. */
export interface BuiltinTool {
  readonly definition: Tool;
  /** @throws AppError, which the agent reads as the tool's failure */
  readonly call: (call: McpCall) => Promise<CallToolResult>;
}

/** A tool whose every call is decided by the policy before it is made. */
export interface GovernedTool {
  /** Definition that agents see. */
  readonly definition: Tool;
  /** Server name that policies use. */
  readonly server: string;
  readonly name: string;
  /** Since it was accepted. */
  readonly isChanged: boolean;
  /** Hash of the definition in hexadecimal; undefined for the service's own tools. */
  readonly definitionHash?: string;
  /** @throws AppError, which the agent reads as the tool's failure */
  readonly run: (call: McpCall) => Promise<CallToolResult>;
}

/** Where the tools of callers come from. */
export interface ToolSource {
  /** In an order that stays the same. */
  readonly list: (caller: McpCaller) => Promise<readonly GovernedTool[]>;
  /** The account's servers that are on, by their names, for what they offer beside tools. */
  readonly servers: (caller: McpCaller) => Promise<readonly OfferingServer[]>;
}

/** A server, as it is asked for resources and prompts. */
export interface OfferingServer {
  readonly name: string;
  /** Another one for every save. */
  readonly key: string;
  /** Reads a resource (`uri`): decided and recorded as a call is, and listed nowhere. */
  readonly read: GovernedTool;
  /** Gets a prompt (`name`, `arguments`). */
  readonly prompt: GovernedTool;
  /** @throws ServerRefusal, AppError */
  readonly complete: (params: Readonly<Record<string, unknown>>, call: McpCall) => Promise<object>;
  /** Hears what the server tells of itself until the signal is aborted. */
  readonly listen: (
    uris: readonly string[],
    onNotice: (notice: ServerNotice) => void,
    signal: AbortSignal,
  ) => Promise<void>;
  /** As it is seen now. @throws AppError */
  readonly offers: (kind: OfferKind, signal: AbortSignal) => Promise<ListedOffers>;
}
