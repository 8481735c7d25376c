/** A tool server that is a program: how it is started, as whoever saved it says. */
export interface HostedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** As `network_allow` of a flow. */
  readonly network_allow: readonly string[];
}

/** What the gateway tells a flow worker with each request to such a server, sealed. */
export interface HostedServer extends HostedCommand {
  /** Of the server, with its account and its save: one program for each conversation of each. */
  readonly key: string;
  /** Milliseconds; a program is not started after that. */
  readonly expires_at: number;
}

export const HOSTED_SERVER_HEADER = 'x-steward-tool-server';
/** What it is bound to when it is sealed. */
export const HOSTED_SERVER_CONTEXT = 'hosted tool server';
/** Where a flow worker answers for these servers. */
export const HOSTED_SERVER_PATH = '/mcp';
export const HOSTED_SERVER_LOG_PATH = '/log';
