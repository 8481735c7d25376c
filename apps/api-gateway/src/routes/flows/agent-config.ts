import { AppError } from '@steward/runtime';

/** Refuses an agent configuration the worker could not run: better now, by name, than in the first execution. */
export function checkAgentConfig(agentType: string, config: Readonly<Record<string, unknown>>): void {
  if (agentType === 'builtin') return checkBuiltinConfig(config);
  const { command, env, ...rest } = config;
  const unknownKey = Object.keys(rest)[0];
  if (unknownKey !== undefined) throw refuse(`agent_config.${unknownKey}`, 'is not a setting of the command agent');
  if (!isCommand(command))
    throw refuse('agent_config.command', 'must be a shell command, or an array of a program and its arguments');
  if (env !== undefined && !isEnvironment(env)) throw refuseEnvironment();
}

function checkBuiltinConfig(config: Readonly<Record<string, unknown>>): void {
  const { max_steps: steps, max_tokens: tokens, system_prompt: prompt, temperature, env, ...rest } = config;
  const unknownKey = Object.keys(rest)[0];
  if (unknownKey !== undefined) throw refuse(`agent_config.${unknownKey}`, 'is not a setting of the built-in agent');
  if (!isIn(steps, 1, 1000) || !Number.isInteger(steps ?? 1))
    throw refuse('agent_config.max_steps', 'must be a whole number from 1 to 1000');
  if (!isIn(tokens, 1, 1e9) || !Number.isInteger(tokens ?? 1))
    throw refuse('agent_config.max_tokens', 'must be a whole number from 1 to 1000000000');
  if (prompt !== undefined && (typeof prompt !== 'string' || prompt.length > 65_536))
    throw refuse('agent_config.system_prompt', 'must be a text of at most 65536 characters');
  if (!isIn(temperature, 0, 2)) throw refuse('agent_config.temperature', 'must be a number from 0 to 2');
  if (env !== undefined && !isEnvironment(env)) throw refuseEnvironment();
}

function isIn(value: unknown, min: number, max: number): boolean {
  return value === undefined || (typeof value === 'number' && value >= min && value <= max);
}

function refuseEnvironment(): AppError {
  return refuse(
    'agent_config.env',
    'must be an object of variable names and texts; names starting with STEWARD_ are reserved',
  );
}

function isCommand(value: unknown): boolean {
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

function isEnvironment(value: unknown): boolean {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= 100 &&
    entries.every(
      ([name, text]) =>
        /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name) &&
        !name.startsWith('STEWARD_') &&
        typeof text === 'string' &&
        text.length <= 32_768 &&
        !text.includes('\0'),
    )
  );
}

function refuse(field: string, problem: string): AppError {
  return new AppError('invalid_request', { message: `"${field}" ${problem}.`, detail: { field } });
}
