/** The command that starts a hosted tool server, as a user saved it. */
export interface HostedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Hosts that the program may reach, in the format of a flow's `network_allow`. */
  readonly network_allow: readonly string[];
}

/** A hosted tool server, as the gateway sends it in encrypted form to a flow worker with each request to the server. */
export interface HostedServer extends HostedCommand {
  /**
   * Key that identifies the server, its account and its saved version. Each conversation with this version of the
   * server has its own program.
   */
  readonly key: string;
  /** Unix time in milliseconds after which no program is started. */
  readonly expires_at: number;
}

export const HOSTED_SERVER_HEADER = 'x-steward-tool-server';
/** Encryption context of a hosted tool server. */
export const HOSTED_SERVER_CONTEXT = 'hosted tool server';
/** Path at which a flow worker serves these tool servers. */
export const HOSTED_SERVER_PATH = '/mcp';
export const HOSTED_SERVER_LOG_PATH = '/log';
/** Path of all programs of a server: a DELETE request ends them. */
export const HOSTED_SERVER_PROGRAMS_PATH = '/programs';
