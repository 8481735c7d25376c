import { homedir } from 'node:os';
import { join } from 'node:path';
import type { CliContext } from '../cli-context.ts';
import type { JsonObject } from './edit-json.ts';

/** Content that an agent's configuration must have. */
export interface Wishes {
  /** URL of the service, without a trailing slash. */
  readonly url: string;
  /** Alias of the model whose calls go through the gateway; if undefined, the models of the agent stay unchanged. */
  readonly model: string | undefined;
}

export interface AgentKind {
  readonly name: string;
  readonly format: 'json' | 'toml';
  readonly canRouteModels: boolean;
  /** True if, after enrollment, the agent's configuration contains the tools of the service. */
  readonly hasTools: boolean;
  /** Path of the list of models, relative to the base URL of the agent's model calls. */
  readonly modelsPath: string;
  findConfig(env: CliContext['env']): string;
  /** Adds the required content to the configuration; the rest stays unchanged. Idempotent. */
  enroll(config: JsonObject, wishes: Wishes): JsonObject;
  /** True if the agent has a hook, which asks the service before tool calls. */
  readonly hasHook: boolean;
  /**
   * Settings of the agent that users of the machine cannot change, including the hook; undefined if the agent has no
   * such settings or no hook.
   */
  readonly managed?: { findConfig(platform: NodeJS.Platform): string; enroll(config: JsonObject): JsonObject };
  /** Step that a person has to perform before the agent uses the hook. */
  readonly trust?: string;
  /** Manual step that remains after enrollment. */
  readonly hint?: string;
}

export const ENROLLABLE = ['claude-code', 'codex', 'cursor', 'gemini-cli'] as const;
export type Enrollable = (typeof ENROLLABLE)[number];

/** Variable of the environment from which the agents read the key: no credential is written into a configuration. */
export const KEY_VARIABLE = 'STEWARD_API_KEY';
/** Timeout of the hook, longer than its own wait (docs/use/hooks.md). */
const HOOK_TIMEOUT_SECONDS = 120;

/**
 * Location of each agent's configuration, and the settings of the service in it (docs/use/hooks.md, docs/use/mcp.md,
 * docs/use/model-gateway.md).
 */
export const AGENT_KINDS: Readonly<Record<Enrollable, AgentKind>> = {
  'claude-code': {
    name: 'Claude Code',
    format: 'json',
    canRouteModels: true,
    hasTools: false,
    hasHook: true,
    managed: {
      findConfig: (platform) =>
        platform === 'darwin'
          ? '/Library/Application Support/ClaudeCode/managed-settings.json'
          : '/etc/claude-code/managed-settings.json',
      enroll: (config) => withHook(config, 'claude-code'),
    },
    modelsPath: '/anthropic/v1/models',
    findConfig: (env) => join(env['CLAUDE_CONFIG_DIR'] ?? join(findHome(env), '.claude'), 'settings.json'),
    enroll: (config, { url, model }) => ({
      ...withHook(config, 'claude-code'),
      ...(model === undefined
        ? {}
        : {
            apiKeyHelper: `printenv ${KEY_VARIABLE}`,
            env: {
              ...readObject(config['env'], 'env'),
              ANTHROPIC_BASE_URL: `${url}/anthropic`,
              ANTHROPIC_MODEL: model,
              ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
            },
          }),
    }),
    hint: 'Claude Code stores its tool servers in its state file, which this command does not change. To add Steward as a tool server, use the command in docs/use/mcp.md.',
  },
  codex: {
    name: 'Codex',
    format: 'toml',
    canRouteModels: true,
    hasTools: true,
    hasHook: true,
    managed: {
      findConfig: () => '/etc/codex/requirements.toml',
      enroll: (config) => withHook(config, 'codex'),
    },
    modelsPath: '/openai/v1/models',
    trust:
      'Codex does not run hooks that are not trusted, and does not report this: start codex once, enter /hooks and trust the hook; otherwise no policy is applied.',
    findConfig: (env) => join(env['CODEX_HOME'] ?? join(findHome(env), '.codex'), 'config.toml'),
    enroll(config, { url, model }) {
      const servers = readObject(config['mcp_servers'], 'mcp_servers');
      const steward = { url: `${url}/mcp/v1`, bearer_token_env_var: KEY_VARIABLE, tool_timeout_sec: 60 };
      const enrolled = { ...withHook(config, 'codex'), mcp_servers: { ...servers, steward } };
      if (model === undefined) return enrolled;
      const provider = { name: 'Steward', base_url: `${url}/openai/v1`, env_key: KEY_VARIABLE, wire_api: 'responses' };
      const providers = { ...readObject(config['model_providers'], 'model_providers'), steward: provider };
      return { ...enrolled, model, model_provider: 'steward', model_providers: providers };
    },
  },
  cursor: {
    name: 'Cursor',
    format: 'json',
    canRouteModels: false,
    hasTools: true,
    hasHook: false,
    modelsPath: '/openai/v1/models',
    findConfig: (env) => join(findHome(env), '.cursor', 'mcp.json'),
    enroll: (config, { url }) =>
      withServer(config, { url: `${url}/mcp/v1`, headers: { Authorization: `Bearer \${env:${KEY_VARIABLE}}` } }),
  },
  'gemini-cli': {
    name: 'Gemini CLI',
    format: 'json',
    canRouteModels: false,
    hasTools: true,
    hasHook: false,
    modelsPath: '/openai/v1/models',
    findConfig: (env) => join(env['GEMINI_CLI_HOME'] ?? findHome(env), '.gemini', 'settings.json'),
    enroll: (config, { url }) =>
      withServer(config, { httpUrl: `${url}/mcp/v1`, headers: { Authorization: `Bearer $${KEY_VARIABLE}` } }),
  },
};

function findHome(env: CliContext['env']): string {
  return env['HOME'] ?? homedir();
}

function withServer(config: JsonObject, server: JsonObject): JsonObject {
  return { ...config, mcpServers: { ...readObject(config['mcpServers'], 'mcpServers'), steward: server } };
}

/** Adds the hook. Other hooks are kept; a hook that already calls the service is not added again. */
function withHook(config: JsonObject, agent: 'claude-code' | 'codex'): JsonObject {
  const hooks = readObject(config['hooks'], 'hooks');
  const before = hooks['PreToolUse'] ?? [];
  if (!Array.isArray(before)) throw new TypeError('hooks.PreToolUse is not a list');
  if (JSON.stringify(before).includes(`steward hook ${agent}`)) return config;
  const command = {
    type: 'command',
    command: `steward hook ${agent} || exit 2`,
    timeout: HOOK_TIMEOUT_SECONDS,
  };
  const entry = agent === 'claude-code' ? { matcher: '*', hooks: [command] } : { hooks: [command] };
  return { ...config, hooks: { ...hooks, PreToolUse: [...(before as unknown[]), entry] } };
}

function readObject(value: unknown, name: string): JsonObject {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${name} is not an object`);
  return value as JsonObject;
}
