import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBinary } from './install-clients.ts';
import { trustCodexHooks } from './trust-codex-hooks.ts';

/** Environment and identity of an agent. */
export interface Workplace {
  readonly home: string;
  /** Folder in which the agent works. */
  readonly folder: string;
  readonly url: string;
  readonly key: string;
  readonly model: string;
  /** Id of the agent in the registry. */
  readonly agentId: string;
}

/** Hook of an enrolled agent, whose user decides which hooks are enabled. */
export interface ClientHook {
  /**
   * Disables the hook, as the agent's user would. If undefined, the hook is not active until its user does something.
   */
  readonly takeOut?: (place: Workplace) => void;
  readonly bringIn: (place: Workplace, environment: Readonly<Record<string, string>>) => Promise<void> | void;
  /** Text that `steward agents validate` prints while the hook is not active. */
  readonly refusal: string;
}

export interface Client {
  readonly name: string;
  /** Kind of the agent in the registry, which is also the source type of its sessions. */
  readonly kind: string;
  readonly provider: 'anthropic' | 'openai';
  readonly packageName: string;
  readonly binary: string;
  readonly hook?: ClientHook;
  /** True if a call through MCP contains the id of the agent's own call. */
  readonly namesToolCalls: boolean;
  /** True if the agent requests a title from a model; otherwise the beginning of its first prompt is the title. */
  readonly titlesItself?: boolean;
  /** True if the agent prints its own session in the form that docs/use/import.md expects. */
  readonly exports?: boolean;
  /** Name of the agent in `steward agents enroll`. */
  readonly enrolls?: string;
  readonly environment: (place: Workplace) => Readonly<Record<string, string>>;
  /** Performs the manual part of its configuration, according to the guides. */
  readonly configure?: (place: Workplace) => void;
  readonly run: (place: Workplace, prompt: string) => readonly string[];
}

/** Changes the user settings of Claude Code. */
function changeSettings({ home }: Workplace, change: object): void {
  const path = join(home, '.claude', 'settings.json');
  const settings = JSON.parse(readFileSync(path, 'utf8')) as object;
  writeFileSync(path, toJson({ ...settings, ...change }));
}

const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** Agents from three vendors, one for each model API. */
export const CLIENTS: readonly Client[] = [
  {
    name: 'Claude Code',
    kind: 'claude_code',
    provider: 'anthropic',
    packageName: '@anthropic-ai/claude-code',
    binary: 'claude',
    hook: {
      takeOut: (place) => changeSettings(place, { disableAllHooks: true }),
      bringIn: (place) => changeSettings(place, { disableAllHooks: undefined }),
      refusal: '"disableAllHooks" in its settings',
    },
    namesToolCalls: true,
    enrolls: 'claude-code',
    environment: () => ({
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      ENABLE_TOOL_SEARCH: 'false',
    }),
    configure({ folder, url }) {
      const headers = { Authorization: 'Bearer ${STEWARD_API_KEY}' };
      const servers = { mcpServers: { steward: { type: 'http', url: `${url}/mcp/v1`, headers } } };
      writeFileSync(join(folder, '.mcp.json'), toJson(servers));
    },
    run: (_place, prompt) => [...['-p', prompt, '--mcp-config', '.mcp.json', '--allowedTools', 'Bash,mcp__steward']],
  },
  {
    name: 'Codex',
    kind: 'codex',
    provider: 'openai',
    packageName: '@openai/codex',
    binary: 'codex',
    hook: {
      bringIn: ({ folder }, environment) => trustCodexHooks(findBinary('codex'), folder, environment),
      refusal: 'Codex does not trust the hook',
    },
    namesToolCalls: true,
    enrolls: 'codex',
    environment: ({ home }) => ({ CODEX_HOME: join(home, '.codex') }),
    run: (_place, prompt) => [...['exec', '--sandbox', 'danger-full-access', '--skip-git-repo-check', prompt]],
  },
  {
    name: 'opencode',
    kind: 'opencode',
    provider: 'openai',
    packageName: 'opencode-ai',
    binary: 'opencode',
    namesToolCalls: false,
    titlesItself: true,
    exports: true,
    environment: ({ key }) => ({
      STEWARD_KEY: key,
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    }),
    configure({ folder, url, model }) {
      const config = {
        provider: {
          steward: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/openai/v1`, apiKey: '{env:STEWARD_KEY}' },
            models: { [model]: {} },
          },
        },
        mcp: {
          steward: {
            type: 'remote',
            url: `${url}/mcp/v1`,
            headers: { Authorization: 'Bearer {env:STEWARD_KEY}' },
          },
        },
      };
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'opencode.json'), toJson(config));
    },
    run: ({ model }, prompt) => ['run', '-m', `steward/${model}`, prompt],
  },
];
