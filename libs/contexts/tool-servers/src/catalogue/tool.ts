import type { StoredAddress } from '@steward/crypto';
import type { ToolServerTransport } from '../servers/tool-server.ts';

/** A tool as its server describes it: `name`, `description`, `inputSchema` and any other fields of the protocol. */
export type ToolDefinition = { readonly name: string } & Readonly<Record<string, unknown>>;

/**
 * Names that policies use for an agent's requests to a server that are not tool calls. They cannot conflict with tool
 * names, which contain no colon.
 */
export const SERVER_REQUESTS = ['resources:read', 'prompts:get'] as const;

export interface CataloguedTool {
  readonly definition: ToolDefinition;
  /** The accepted definition. */
  readonly accepted: ToolDefinition;
  /** Hash of the definition, in hexadecimal. */
  readonly hash: string;
  /** True if the current definition differs from the accepted one. */
  readonly isChanged: boolean;
  readonly firstSeenAt: Date;
  readonly changedAt: Date;
}

/** Address and headers of a server. */
export interface ServerTarget {
  readonly accountId: string;
  readonly id: string;
  readonly name: string;
  readonly transport: ToolServerTransport;
  /** The address; `openTarget` decrypts it and the headers. */
  readonly address: StoredAddress;
  readonly headersSealed: Buffer | null;
  /**
   * Number that is incremented when the address changes, when headers are saved or deleted, and when a login is stored
   * or deleted.
   */
  readonly targetVersion: number;
  /** True if the login of a user is stored for the server, even if this login has ended. */
  readonly isConnected: boolean;
}

/** Tools of a server. */
export interface OfferedTools extends ServerTarget {
  readonly tools: readonly Pick<CataloguedTool, 'definition' | 'hash' | 'isChanged'>[];
}
