import { createHmac } from 'node:crypto';
import type { FoundAgent } from './find-agents.ts';

/** Machine on which the agents were found. */
export interface Workstation {
  readonly hostName: string;
  readonly userName: string;
  readonly home: string;
  readonly platform: string;
}

/** Report with all data that is sent from the machine: hashes, kinds, versions and counts. */
export interface DiscoveryReport {
  readonly workstation_fingerprint: string;
  readonly os_family: string;
  readonly agents: readonly {
    readonly agent_kind: string;
    readonly agent_version?: string;
    readonly config_path_hash: string;
    readonly mcp_server_count: number;
    readonly enrolled: boolean;
  }[];
}

const FAMILIES: Readonly<Record<string, string>> = { darwin: 'darwin', linux: 'linux', win32: 'windows' };
/** Form of a version; any string of another form could be a path or a name. */
const VERSION = /^[0-9A-Za-z.+-]{1,40}$/;

/**
 * Builds the report. Hashes are HMAC-SHA256 with the salt of the account; paths are hashed with `~` in place of the
 * home folder.
 */
export function buildReport(
  agents: readonly FoundAgent[],
  { hostName, userName, home, platform }: Workstation,
  salt: string,
): DiscoveryReport {
  const hash = (text: string): string => createHmac('sha256', Buffer.from(salt, 'hex')).update(text).digest('hex');
  return {
    workstation_fingerprint: hash(`workstation\n${hostName}\n${userName}`),
    os_family: FAMILIES[platform] ?? 'other',
    agents: agents.map(({ kind, version, configPath, mcpServerCount, isEnrolled }) => ({
      agent_kind: kind,
      ...(version === undefined || !VERSION.test(version) ? {} : { agent_version: version }),
      config_path_hash: hash(`path\n${shorten(configPath, home)}`),
      mcp_server_count: Math.min(mcpServerCount, 10_000),
      enrolled: isEnrolled,
    })),
  };
}

/** Replaces the home folder of a path with `~`: `~/.claude/settings.json`. */
export function shorten(path: string, home: string): string {
  return path.startsWith(`${home}/`) || path.startsWith(`${home}\\`) ? `~${path.slice(home.length)}` : path;
}
