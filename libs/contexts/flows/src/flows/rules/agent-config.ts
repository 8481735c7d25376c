import type { AgentType } from '../../schema.ts';

type Environment = Readonly<Record<string, string>>;

/** Fields of `agent_config` for a flow whose agent is a program. */
export interface CommandSettings {
  readonly type: 'command';
  /** Program and arguments. */
  readonly argv: readonly [string, ...string[]];
  readonly env: Environment;
}

/** Fields of `agent_config` for a flow with the built-in agent. */
export interface BuiltinSettings {
  readonly type: 'builtin';
  readonly maxSteps: number;
  /** Maximum number of input and output tokens of all calls together. */
  readonly maxTokens: number;
  readonly systemPrompt: string | undefined;
  readonly temperature: number | undefined;
  /** Environment variables of the programs that the agent's shell tool starts. */
  readonly env: Environment;
}

export type AgentSettings = CommandSettings | BuiltinSettings;

export type AgentConfigOutcome =
  | { readonly kind: 'valid'; readonly settings: AgentSettings }
  | { readonly kind: 'invalid'; readonly field: string; readonly problem: string };

const DEFAULT_STEPS = 50;
const DEFAULT_TOKENS = 1_000_000;

/**
 * Reads `agent_config`, and is its only parser: the gateway uses it to refuse configurations that no worker could run,
 * and the worker uses its result. In a client's request, null removes a variable; the result does not contain such
 * variables.
 */
export function readAgentConfig(agentType: AgentType, config: Readonly<Record<string, unknown>>): AgentConfigOutcome {
  const { env: given, ...rest } = config;
  const read = agentType === 'builtin' ? readBuiltin(rest) : readCommand(rest);
  if ('field' in read) return { kind: 'invalid', ...read, field: `agent_config.${read.field}` };
  const env = readEnvironment(given ?? {});
  if (env === undefined) {
    return {
      kind: 'invalid',
      field: 'agent_config.env',
      problem:
        'must be an object of variable names and strings (null removes one); names starting with STEWARD_ are reserved',
    };
  }
  return { kind: 'valid', settings: { ...read, env } };
}

interface Problem {
  readonly field: string;
  readonly problem: string;
}

function readCommand(config: Readonly<Record<string, unknown>>): Omit<CommandSettings, 'env'> | Problem {
  const { command, ...rest } = config;
  const unknownKey = Object.keys(rest)[0];
  if (unknownKey !== undefined) return { field: unknownKey, problem: 'is not a setting of the command agent' };
  if (!isCommand(command))
    return { field: 'command', problem: 'must be a shell command, or an array of a program and its arguments' };
  return { type: 'command', argv: typeof command === 'string' ? ['/bin/sh', '-c', command] : command };
}

function readBuiltin(config: Readonly<Record<string, unknown>>): Omit<BuiltinSettings, 'env'> | Problem {
  const { max_steps: steps, max_tokens: tokens, system_prompt: prompt, temperature, ...rest } = config;
  const unknownKey = Object.keys(rest)[0];
  if (unknownKey !== undefined) return { field: unknownKey, problem: 'is not a setting of the built-in agent' };
  if (!isIn(steps, 1, 1000) || !Number.isInteger(steps ?? 1))
    return { field: 'max_steps', problem: 'must be a whole number from 1 to 1000' };
  if (!isIn(tokens, 1, 1e9) || !Number.isInteger(tokens ?? 1))
    return { field: 'max_tokens', problem: 'must be a whole number from 1 to 1000000000' };
  if (prompt !== undefined && (typeof prompt !== 'string' || prompt.length > 65_536))
    return { field: 'system_prompt', problem: 'must be a string of at most 65536 characters' };
  if (!isIn(temperature, 0, 2)) return { field: 'temperature', problem: 'must be a number from 0 to 2' };
  return {
    type: 'builtin',
    maxSteps: steps ?? DEFAULT_STEPS,
    maxTokens: tokens ?? DEFAULT_TOKENS,
    systemPrompt: prompt,
    temperature,
  };
}

function isIn(value: unknown, min: number, max: number): value is number | undefined {
  return value === undefined || (typeof value === 'number' && value >= min && value <= max);
}

function isCommand(value: unknown): value is string | readonly [string, ...string[]] {
  const isText = (text: unknown): boolean =>
    typeof text === 'string' && text.trim() !== '' && text.length <= 65_536 && !text.includes('\0');
  if (!Array.isArray(value)) return isText(value);
  return (
    value.length > 0 &&
    value.length <= 256 &&
    value.every((part) => typeof part === 'string' && !part.includes('\0')) &&
    isText(value[0])
  );
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

function readEnvironment(value: unknown): Environment | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  const entries = Object.entries(value as Record<string, unknown>);
  const isEnvironment =
    entries.length <= 100 &&
    entries.every(
      ([name, text]) =>
        VARIABLE.test(name) &&
        !name.startsWith('STEWARD_') &&
        (text === null || (typeof text === 'string' && text.length <= 32_768 && !text.includes('\0'))),
    );
  if (!isEnvironment) return undefined;
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
