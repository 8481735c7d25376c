/** The command that starts a hosted tool server, as a user saved it. */
export interface HostedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Has the format of a flow's `network_allow`. */
  readonly network_allow: readonly string[];
}

/** The gateway sends it in encrypted form to a flow worker with each request to such a server. */
export interface HostedServer extends HostedCommand {
  /**
   * Identifies the server, its account and its saved version: a separate program is started for each conversation with
   * such a version.
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
/** Path of all programs of a server: a DELETE request ends them. */
export const HOSTED_SERVER_PROGRAMS_PATH = '/programs';
