/** The command that starts a hosted tool server, as a user saved it. */
export interface HostedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Has the format of a flow's `network_allow`. */
  readonly network_allow: readonly string[];
}

/** Sent in encrypted form by the gateway to a flow worker with each request to such a server. */
export interface HostedServer extends HostedCommand {
  /**
   * Identifies the server, its account and its saved version: each conversation with one of them has its own program.
   */
  readonly key: string;
  /** In milliseconds; no program is started after this time. */
  readonly expires_at: number;
}

export const HOSTED_SERVER_HEADER = 'x-steward-tool-server';
/** The encryption context of this data. */
export const HOSTED_SERVER_CONTEXT = 'hosted tool server';
/** Path at which a flow worker serves these tool servers. */
export const HOSTED_SERVER_PATH = '/mcp';
export const HOSTED_SERVER_LOG_PATH = '/log';
/** All programs of a server: a DELETE request ends them. */
export const HOSTED_SERVER_PROGRAMS_PATH = '/programs';
