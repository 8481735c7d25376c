import { isExactNumber } from '@steward/text';

/** Arguments that do not change the effect of a call, by the name of the tool. */
export type InertArguments = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Server name of the agents' built-in tools. Only their arguments can be inert: for any other tool, even an argument
 * such as `description` may change the effect of a call.
 */
const BUILT_IN = 'local';

const SHELL_OF_CODEX = ['justification', 'timeout', 'timeout_ms', 'yield_time_ms', 'max_output_tokens'];

/**
 * Default entries: descriptions for people, and limits on how long a caller waits and how much output it gets.
 * Arguments that change the effect of the call are not inert (`run_in_background`, `dangerouslyDisableSandbox`,
 * `workdir`, `sandbox_permissions`). docs/use/approvals.md lists the default entries.
 */
const SHIPPED: Readonly<Record<string, readonly string[]>> = {
  // Claude Code
  Bash: ['description', 'timeout', 'justification', 'timeout_ms'],
  PowerShell: ['description', 'timeout'],
  Task: ['description'],
  Agent: ['description'],
  // Codex
  shell: SHELL_OF_CODEX,
  shell_command: SHELL_OF_CODEX,
  local_shell: SHELL_OF_CODEX,
  exec_command: SHELL_OF_CODEX,
  // opencode
  bash: ['description', 'timeout'],
  // Gemini CLI, Qwen Code
  run_shell_command: ['description', 'timeout'],
  // Cursor
  run_terminal_cmd: ['explanation'],
};

/** An entry of the setting: a built-in tool and one of its arguments, `Bash:note`. */
const ENTRY = /^([^:]{1,200}):([^:]{1,200})$/;

/** Checks an entry of the setting. @throws Error for an entry that does not name a tool and an argument */
export function requireInertArgument(entry: string): void {
  if (!ENTRY.test(entry)) throw new Error(`"${entry}" is not a tool and an argument like Bash:description`);
}

/** Returns the default list plus the entries of a deployment. */
export function readInertArguments(entries: readonly string[] = []): InertArguments {
  const names = new Map(Object.entries(SHIPPED).map(([tool, list]) => [tool, new Set(list)]));
  for (const entry of entries) {
    const [, tool = '', argument = ''] = ENTRY.exec(entry) ?? [];
    names.set(tool, (names.get(tool) ?? new Set()).add(argument));
  }
  return names;
}

interface ArgumentsOfTool {
  readonly server: string;
  readonly toolName: string;
  readonly arguments: unknown;
  readonly definitionHash: string | null;
}

/**
 * Returns the arguments that identify a call. Inert arguments are omitted only if they are strings, numbers or null. A
 * tool that runs through the service (`definitionHash`) is not a built-in tool, whatever its server is called.
 */
export function leaveOutInert(call: ArgumentsOfTool, inert: InertArguments): unknown {
  const { arguments: args } = call;
  const names = call.server === BUILT_IN && call.definitionHash === null ? inert.get(call.toolName) : undefined;
  if (names === undefined || typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const acts = ([name, value]: [string, unknown]): boolean => !names.has(name) || !isPlain(value);
  return Object.fromEntries(Object.entries(args).filter(acts));
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'number' || isExactNumber(value);
}
