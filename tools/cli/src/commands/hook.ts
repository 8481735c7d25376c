import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { cleanText } from '../output.ts';
import { readAll } from '../read-input.ts';

export const HOOK_AGENTS = ['claude-code', 'codex'] as const;
export type HookAgent = (typeof HOOK_AGENTS)[number];

export interface HookOptions {
  /** Seconds the agent may wait for people. */
  readonly wait: number;
  readonly failOpen?: boolean;
}

interface HookInput {
  readonly toolName: string;
  readonly server: string | undefined;
  readonly arguments: unknown;
}

interface Verdict {
  readonly decision: string;
  readonly reason: string;
  readonly approval_request_id: string | null;
  readonly expires_at: string | null;
  /** What people have to say to the agent; undefined of an older service. */
  readonly operator_notes?: readonly { readonly framed: string }[];
}

const PATH = '/api/v1/agents/permission-check';
/** Beyond the wait: what an answer takes. */
const ANSWER_WITHIN_SECONDS = 15;

/**
 * `steward hook …`: asks the service about the call that a coding agent is about to make, and answers in the agent's own form. Silence lets the
 * agent go on as it would without a hook: an allowed call still meets the agent's own questions. Whatever goes wrong is a no.
 */
export async function runHook(context: CliContext, agent: HookAgent, options: HookOptions): Promise<void> {
  const { output } = context;
  try {
    const verdict = await ask(context, agent, await readHookInput(context), options);
    const answer = formatAnswer(verdict);
    if (answer !== undefined) output.line(answer);
  } catch (error) {
    const why = cleanText(error instanceof Error ? error.message : String(error));
    if (options.failOpen !== true)
      return output.line(formatDecision(describeDenial(`Steward could not be asked: ${why}`)));
    const warning = `Steward could not be asked (${why}). The call of ${agent} goes through unchecked: --fail-open.`;
    output.note(warning);
    output.line(JSON.stringify({ systemMessage: warning }));
  }
}

async function readHookInput(context: CliContext): Promise<HookInput> {
  const input = JSON.parse((await readAll(context)).toString('utf8')) as Record<string, unknown> | null;
  const name = input?.['tool_name'];
  if (typeof name !== 'string' || name === '') throw new Error('the input names no tool (tool_name)');
  const [, server, toolName] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return { server, toolName: toolName ?? name, arguments: input?.['tool_input'] ?? {} };
}

async function ask(
  context: CliContext,
  agent: HookAgent,
  { toolName, server, arguments: args }: HookInput,
  { wait }: HookOptions,
): Promise<Verdict> {
  const body = {
    tool_name: toolName,
    ...(server === undefined ? {} : { server }),
    arguments: args,
    // Codex takes no context with a decision: notes wait for another way.
    ...(agent === 'codex' ? { takes_operator_notes: false } : {}),
    wait_seconds: wait,
  };
  const timeoutMs = (wait + ANSWER_WITHIN_SECONDS) * 1000;
  const answer = (await createApiClient(context).call('POST', PATH, { body, timeoutMs })).body as unknown as Verdict;
  if (!['allow', 'deny', 'pending'].includes(answer.decision)) throw new Error('the answer is none that is known');
  return answer;
}

function explain({ decision, reason, approval_request_id: id, expires_at: until }: Verdict): string {
  if (decision === 'deny') return reason;
  return `${reason} (request ${id ?? ''}, until ${until ?? ''}). Nobody has decided yet. Make the very same call again later, or do something else.`;
}

/** Undefined where there is nothing to say. */
function formatAnswer(verdict: Verdict): string | undefined {
  const notes = (verdict.operator_notes ?? []).map(({ framed }) => cleanText(framed)).join('\n\n');
  const context = notes === '' ? {} : { additionalContext: notes };
  const decision = verdict.decision === 'allow' ? {} : describeDenial(explain(verdict));
  const said = { ...decision, ...context };
  return Object.keys(said).length === 0 ? undefined : formatDecision(said);
}

/** Codex takes no explicit "allow": silence is one. */
function describeDenial(reason: string): object {
  return { permissionDecision: 'deny', permissionDecisionReason: cleanText(reason) };
}

/** Both agents read this form. */
function formatDecision(said: object): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...said } });
}
