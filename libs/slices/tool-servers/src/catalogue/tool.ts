import type { StoredAddress } from '@steward/crypto';
import type { ToolServerTransport } from '../servers/tool-server.ts';

/** A tool as its server describes it: `name`, `description`, `inputSchema` and whatever else the protocol knows. */
export type ToolDefinition = { readonly name: string } & Readonly<Record<string, unknown>>;

/** What agents ask a server for beside calls of its tools, as policies name it: no tool has a colon in its name. */
export const SERVER_REQUESTS = ['resources:read', 'prompts:get'] as const;

export interface CataloguedTool {
  readonly definition: ToolDefinition;
  /** What was agreed to. */
  readonly accepted: ToolDefinition;
  /** Of the definition, in hexadecimal. */
  readonly hash: string;
  /** Described otherwise than when it was accepted. */
  readonly isChanged: boolean;
  readonly firstSeenAt: Date;
  readonly changedAt: Date;
}

/** Where a server is, and what it is sent. */
export interface ServerTarget {
  readonly accountId: string;
  readonly id: string;
  readonly name: string;
  readonly transport: ToolServerTransport;
  /** Opens with `openTarget`, as the headers do. */
  readonly address: StoredAddress;
  readonly headersSealed: Buffer | null;
  /** Another one with each save of the address or the headers, and each login. */
  readonly targetVersion: number;
  /** Somebody logged in at it. */
  readonly isConnected: boolean;
}

/** What a server offers. */
export interface OfferedTools extends ServerTarget {
  readonly tools: readonly Pick<CataloguedTool, 'definition' | 'hash' | 'isChanged'>[];
}
