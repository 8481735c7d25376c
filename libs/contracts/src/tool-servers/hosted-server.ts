/** The command that starts a hosted tool server, as a user saved it. */
export interface HostedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Has the form of `network_allow` of a flow. */
  readonly network_allow: readonly string[];
}

/** Sent sealed by the gateway to a flow worker with each request to such a server. */
export interface HostedServer extends HostedCommand {
  /** Identifies the server, its account and its saved version: each conversation of each has one program. */
  readonly key: string;
  /** In milliseconds; no program is started after that. */
  readonly expires_at: number;
}

export const HOSTED_SERVER_HEADER = 'x-steward-tool-server';
/** The sealing context of this data. */
export const HOSTED_SERVER_CONTEXT = 'hosted tool server';
/** Path at which a flow worker serves these tool servers. */
export const HOSTED_SERVER_PATH = '/mcp';
export const HOSTED_SERVER_LOG_PATH = '/log';
/** All programs of a server: they are ended by DELETE. */
export const HOSTED_SERVER_PROGRAMS_PATH = '/programs';
