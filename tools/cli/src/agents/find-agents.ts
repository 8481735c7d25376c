import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import type { CliContext } from '../cli-context.ts';
import { AGENT_KINDS } from './agent-kinds.ts';

/** Agent of this machine, unhashed; `buildReport` creates the data that leaves the machine. */
export interface FoundAgent {
  readonly kind: string;
  readonly name: string;
  readonly configPath: string;
  /** Version of the package of its program; undefined if it has none. */
  readonly version: string | undefined;
  readonly mcpServerCount: number;
  /** True if the agent's configuration refers to this program. */
  readonly isEnrolled: boolean;
}

interface Place {
  readonly kind: string;
  readonly name: string;
  /** Possible paths of the configuration; the first one that exists is used. */
  readonly configs: readonly string[];
  /** Name of the program, and of its package. */
  readonly program?: readonly [name: string, packageName: string];
}

type Env = CliContext['env'];

/** Finds the agents that have a configuration on this machine. Files are only read; no program is started. */
export function findAgents(env: Env): FoundAgent[] {
  return listPlaces(env).flatMap(({ kind, name, configs, program }) => {
    const configPath = configs.find((path) => existsSync(path));
    if (configPath === undefined) return [];
    const text = readText(configPath);
    return {
      kind,
      name,
      configPath,
      version: program === undefined ? undefined : findVersion(env, ...program),
      mcpServerCount: countServers(configPath, text),
      isEnrolled: /\bsteward hook\b|STEWARD_API_KEY/.test(text),
    };
  });
}

function listPlaces(env: Env): Place[] {
  const home = env['HOME'] ?? homedir();
  const config = env['XDG_CONFIG_HOME'] ?? join(home, '.config');
  const claude = env['CLAUDE_CONFIG_DIR'];
  return [
    {
      kind: 'claude_code',
      name: AGENT_KINDS['claude-code'].name,
      configs: [AGENT_KINDS['claude-code'].findConfig(env), claude === undefined ? join(home, '.claude.json') : claude],
      program: ['claude', '@anthropic-ai/claude-code'],
    },
    {
      kind: 'codex',
      name: AGENT_KINDS.codex.name,
      configs: [AGENT_KINDS.codex.findConfig(env)],
      program: ['codex', '@openai/codex'],
    },
    {
      kind: 'cursor',
      name: AGENT_KINDS.cursor.name,
      configs: [AGENT_KINDS.cursor.findConfig(env), join(home, '.cursor')],
    },
    {
      kind: 'gemini_cli',
      name: AGENT_KINDS['gemini-cli'].name,
      configs: [AGENT_KINDS['gemini-cli'].findConfig(env)],
      program: ['gemini', '@google/gemini-cli'],
    },
    {
      kind: 'windsurf',
      name: 'Windsurf',
      configs: [join(home, '.codeium', 'windsurf', 'mcp_config.json'), join(home, '.codeium', 'windsurf')],
    },
    {
      kind: 'vscode_copilot',
      name: 'VS Code',
      configs: [
        join(config, 'Code', 'User', 'mcp.json'),
        join(home, 'Library', 'Application Support', 'Code', 'User', 'mcp.json'),
        join(config, 'github-copilot'),
      ],
    },
    {
      kind: 'opencode',
      name: 'OpenCode',
      configs: ['opencode.json', 'opencode.jsonc'].map((file) => join(config, 'opencode', file)),
      program: ['opencode', 'opencode-ai'],
    },
  ];
}

/** Reads a file; a folder or an unreadable file counts as empty. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Returns the number of tool servers in a configuration; 0 for a file that cannot be parsed. */
function countServers(path: string, text: string): number {
  try {
    const config = (path.endsWith('.toml') ? parse(text) : JSON.parse(text)) as Record<string, unknown> | null;
    const servers = config?.['mcpServers'] ?? config?.['mcp_servers'] ?? config?.['servers'] ?? config?.['mcp'];
    return typeof servers === 'object' && servers !== null ? Object.keys(servers).length : 0;
  } catch {
    return 0;
  }
}

/** Reads the version of the program's package, which is located in a folder above the program. */
function findVersion(env: Env, program: string, packageName: string): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
  if (found === undefined) return undefined;
  for (let folder = dirname(realpathSync(found)); folder !== dirname(folder); folder = dirname(folder)) {
    const { name, version } = readPackage(join(folder, 'package.json'));
    if (name === packageName) return typeof version === 'string' ? version : undefined;
  }
  return undefined;
}

function readPackage(path: string): { readonly name?: unknown; readonly version?: unknown } {
  try {
    return (JSON.parse(readText(path)) ?? {}) as object;
  } catch {
    return {};
  }
}
