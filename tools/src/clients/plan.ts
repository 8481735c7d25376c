/** Next action of the model, as specified in the prompt, because the fake provider cannot choose one. */
export type Step =
  { readonly shell: string } | { readonly tool: string; readonly arguments: object } | { readonly say: string };

const MARK = 'PLAN:';
/** Response for agents that request a title for their session from the model. */
export const AGENT_TITLE = 'A title by the agent';
const SHELLS = ['Bash', 'bash', 'exec_command', 'shell_command', 'shell'];
const RESULTS: ReadonlySet<unknown> = new Set(['tool_result', 'function_call_output', 'custom_tool_call_output']);

export interface ModelRequest {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly ModelTool[];
  readonly messages?: readonly Message[];
  readonly input?: readonly Message[] | string;
}

interface ModelTool {
  readonly type?: string;
  readonly name?: string;
  readonly function?: { readonly name: string };
  /** Tools that Codex groups in a namespace. */
  readonly tools?: readonly ModelTool[];
}

interface Message {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
}

export interface NextCall {
  readonly name: string;
  /** Namespace of the tool, if the agent groups its tools. */
  readonly namespace: string | undefined;
  readonly arguments: object;
}

export type NextTurn = { readonly say: string } | NextCall;

/** Writes a prompt that specifies the actions. */
export function writePrompt(words: string, steps: readonly Step[]): string {
  return `${words}\n${MARK} ${Buffer.from(JSON.stringify(steps)).toString('base64url')}`;
}

/**
 * Returns the action that follows the given results. Undefined if the request is not part of a plan, for example a
 * request for a title.
 */
export function readNextTurn(request: ModelRequest): NextTurn | undefined {
  const messages = typeof request.input === 'string' ? [] : (request.messages ?? request.input ?? []);
  const planned = messages.findLastIndex((message) => message.role === 'user' && readPlan(message) !== undefined);
  const message = messages[planned];
  const steps = message === undefined ? undefined : readPlan(message);
  // Requests for a title contain the prompt, but no tools.
  if (steps === undefined || (request.tools ?? []).length === 0) return undefined;
  const step = steps[countResults(messages.slice(planned + 1))];
  if (step === undefined) return { say: 'nothing is left to do' };
  if ('say' in step) return step;
  const [wanted, given] = 'shell' in step ? [SHELLS, { command: step.shell }] : [[step.tool], step.arguments];
  const tool = findTool(request.tools ?? [], wanted);
  if (tool === undefined) {
    return { say: `there is no tool ${wanted.join(' or ')}, only ${listNames(request.tools ?? []).join(', ')}` };
  }
  return { ...tool, arguments: 'shell' in step ? fitShell(tool.name, step.shell) : given };
}

function readPlan(message: Message): readonly Step[] | undefined {
  const found = /PLAN: ([\w-]+)/.exec(JSON.stringify(message.content ?? ''))?.[1];
  return found === undefined ? undefined : (JSON.parse(Buffer.from(found, 'base64url').toString()) as Step[]);
}

function countResults(messages: readonly Message[]): number {
  return messages.reduce((sum, { type, role, content }) => {
    const blocks = Array.isArray(content)
      ? (content as Message[]).filter((block) => RESULTS.has(block.type)).length
      : 0;
    return sum + blocks + (RESULTS.has(type) || role === 'tool' ? 1 : 0);
  }, 0);
}

function listNames(tools: readonly ModelTool[]): readonly string[] {
  return tools.flatMap((tool) =>
    tool.tools === undefined ? [tool.function?.name ?? tool.name ?? ''] : listNames(tool.tools),
  );
}

/** Finds a tool by its name, or by the part of its name after the name of its server. */
function findTool(
  tools: readonly ModelTool[],
  wanted: readonly string[],
  namespace?: string,
): Omit<NextCall, 'arguments'> | undefined {
  for (const tool of tools) {
    const nested = tool.tools === undefined ? undefined : findTool(tool.tools, wanted, tool.name);
    if (nested !== undefined) return nested;
    const name = tool.function?.name ?? tool.name ?? '';
    if (wanted.some((each) => name === each || name.endsWith(`_${each}`))) return { name, namespace };
  }
  return undefined;
}

function fitShell(name: string, command: string): object {
  if (name === 'exec_command') return { cmd: command };
  if (name === 'shell') return { command: ['bash', '-lc', command] };
  return { command, description: 'a step of the plan' };
}
