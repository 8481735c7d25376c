import type { HostedCommand } from '@steward/contracts';
import type { StoredAddress } from '@steward/crypto';

/** What an account says of one of its tool servers. */
export interface ToolServerFields {
  /** Unique in the account: what its tools are called by. */
  readonly name: string;
  /** As it was written; of a program its command (`writeProgramAddress`). */
  readonly url: string;
  readonly isEnabled: boolean;
}

export type ToolServerTransport = 'streamable_http' | 'stdio';

export interface ToolServer extends Omit<ToolServerFields, 'url'> {
  readonly transport: ToolServerTransport;
  readonly accountId: string;
  readonly id: string;
  /** Opens with `describeServerUrlContext`. */
  readonly address: StoredAddress;
  readonly hasHeaders: boolean;
  /** How it was when it was asked for its tools last. */
  readonly status: 'unknown' | 'ok' | 'failing';
  readonly lastError: string | null;
  readonly toolsCount: number;
  readonly toolsSeenAt: Date | null;
  /** Null: nobody logged in at it. Times as JSON has them. */
  readonly login: {
    readonly issuer: string;
    readonly scope: string | null;
    readonly expiresAt: string | null;
    readonly connectedBy: string;
    readonly connectedAt: string;
    /** It has to be connected again. */
    readonly hasEnded: boolean;
  } | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a save changes; undefined leaves a field alone. */
export type ToolServerPatch = { readonly [Key in keyof ToolServerFields]?: ToolServerFields[Key] | undefined } & {
  /** Of a program, in place of an address. */
  readonly command?: HostedCommand | undefined;
  /** All of them; an empty object forgets those that are stored. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};
