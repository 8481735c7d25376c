import type { HostedCommand } from '@steward/contracts';
import type { StoredAddress } from '@steward/crypto';

/** Fields of a tool server that are set by the account. */
export interface ToolServerFields {
  /** Name of the server, unique in the account, because it is the prefix of its tools' names. */
  readonly name: string;
  /** The unencrypted URL; for a program, the command as a string (`writeProgramAddress`). */
  readonly url: string;
  readonly isEnabled: boolean;
}

export type ToolServerTransport = 'streamable_http' | 'stdio';

export interface ToolServer extends Omit<ToolServerFields, 'url'> {
  readonly transport: ToolServerTransport;
  readonly accountId: string;
  readonly id: string;
  /** Encrypted address, with the context `describeServerUrlContext`. */
  readonly address: StoredAddress;
  readonly hasHeaders: boolean;
  /**
   * State of the server at the last refresh of its tools; `unknown` if the tools have not been refreshed since the
   * address, headers or login changed.
   */
  readonly status: 'unknown' | 'ok' | 'failing';
  readonly lastError: string | null;
  readonly toolsCount: number;
  readonly toolsSeenAt: Date | null;
  /** Login of a user, with times as strings; null if no user has logged in to the server. */
  readonly login: {
    readonly issuer: string;
    readonly scope: string | null;
    readonly expiresAt: string | null;
    readonly connectedBy: string;
    readonly connectedAt: string;
    /** Whether a user has to connect the server again. */
    readonly hasEnded: boolean;
  } | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Fields that a save changes; undefined leaves a field unchanged. */
export type ToolServerPatch = { readonly [Key in keyof ToolServerFields]?: ToolServerFields[Key] | undefined } & {
  /** Command, set instead of an address if the server is a program. */
  readonly command?: HostedCommand | undefined;
  /** Headers that replace all stored ones; an empty object deletes them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};
