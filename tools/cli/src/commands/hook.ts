import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { EXIT } from '../exit-codes.ts';
import { cleanText } from '../output.ts';
import { DEFAULT_EVENT, formatAnswer, takesContext, type HookEvent } from './hook-answer.ts';
import { readHookInput, UnreadableInput, type HookCall } from './hook-input.ts';

export const HOOK_AGENTS = ['claude-code', 'codex'] as const;
export type HookAgent = (typeof HOOK_AGENTS)[number];

export interface HookOptions {
  /** Seconds that the agent may wait for approval. */
  readonly wait: number;
  /** The agent's name for this service as a tool server. */
  readonly door: string;
  readonly failOpen?: boolean;
}

interface Verdict {
  readonly decision: string;
  readonly reason: string;
  readonly approval_request_id: string | null;
  readonly expires_at: string | null;
  /** Messages from people to the agent; undefined for an older service. */
  readonly operator_notes?: readonly { readonly framed: string }[];
}

const PATH = '/api/v1/agents/permission-check';
/**
 * Total time in addition to the wait, in seconds; with the default of `--wait`, the sum is shorter than the 60 s that
 * agents give a hook by default.
 */
const ANSWER_WITHIN_SECONDS = 8;
/** Name under which the service records its own tools. */
const DOOR = 'steward';

/**
 * Runs `steward hook …`: asks the service for a decision about the call that a coding agent is about to make, and
 * prints it in the agent's own format, always in time. An empty output lets the agent continue as if there were no
 * hook: the agent's own prompts still apply to an allowed call. Every failure results in a denial, which is also
 * expressed by exit code 2 if the format of a denial is not known.
 */
export async function runHook(context: CliContext, agent: HookAgent, options: HookOptions): Promise<void> {
  const begun = performance.now();
  const deadline = AbortSignal.timeout((options.wait + ANSWER_WITHIN_SECONDS) * 1000);
  const signal = AbortSignal.any([context.signal, deadline]);
  let event: HookEvent | undefined;
  const answer = async (): Promise<void> => {
    const input = await readHookInput(context.stdin, signal);
    event = input.event;
    if (!event.isKnown) throw new UnreadableInput(`the event ${event.name} is unknown`);
    // The event follows a call, or does not concern one.
    if (input.call === undefined) return;
    const waited = Math.floor((performance.now() - begun) / 1000);
    const wait = Math.max(0, options.wait - waited);
    const verdict = await ask({ ...context, signal }, { agent, event, call: input.call, wait, door: options.door });
    if (!signal.aborted) say(context, formatVerdict(event, verdict));
  };
  try {
    await Promise.race([answer(), rejectOnAbort(signal)]);
  } catch (error) {
    const isUnclear = error instanceof UnreadableInput;
    const why = deadline.aborted ? 'there was no response in time' : describe(error);
    if (options.failOpen === true) sayUnchecked(context, agent, why);
    else sayNo(context, event ?? DEFAULT_EVENT, { why, isUnclear });
  }
  context.leave();
}

function describe(error: unknown): string {
  return cleanText(error instanceof Error ? error.message : String(error));
}

/** Waits until the signal is aborted, then rejects, so that pending work is not waited for. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

function say({ output }: CliContext, answer: string | undefined): void {
  if (answer !== undefined) output.line(answer);
}

/**
 * Denies the call. Exit code 2 is a denial for every event that can be denied: agents then read the reason from
 * standard error.
 */
function sayNo(
  context: CliContext,
  event: HookEvent,
  { why, isUnclear }: { readonly why: string; readonly isUnclear: boolean },
): void {
  const denial = `Steward could not be queried: ${why}`;
  say(context, formatAnswer(event, { denial }));
  if (!isUnclear) return;
  context.output.note(denial);
  context.setExitCode(EXIT.refused);
}

function sayUnchecked({ output }: CliContext, agent: HookAgent, why: string): void {
  const warning = `Steward could not be queried (${why}). The call of ${agent} is allowed without a check, because of --fail-open.`;
  output.note(warning);
  output.line(JSON.stringify({ systemMessage: warning }));
}

interface Question {
  readonly agent: HookAgent;
  readonly event: HookEvent;
  readonly call: HookCall;
  readonly wait: number;
  readonly door: string;
}

async function ask(context: CliContext, { agent, event, call, wait, door }: Question): Promise<Verdict> {
  const { toolName, server, argumentsText } = call;
  const body = {
    tool_name: toolName,
    ...(server === undefined ? {} : { server: server === door ? DOOR : server }),
    // Codex accepts no context with a decision, so notes are delivered in another way.
    ...(agent === 'codex' || !takesContext(event) ? { takes_operator_notes: false } : {}),
    wait_seconds: wait,
  };
  // The arguments are sent unchanged, because the decision must concern exactly the call that the agent makes.
  const bytes = new TextEncoder().encode(`${JSON.stringify(body).slice(0, -1)},"arguments":${argumentsText}}`);
  const timeoutMs = (wait + ANSWER_WITHIN_SECONDS) * 1000;
  const answer = (await createApiClient(context).call('POST', PATH, { bytes, timeoutMs })).body as unknown as Verdict;
  if (!['allow', 'deny', 'pending'].includes(answer.decision)) throw new Error('the response has an unknown format');
  return answer;
}

function formatVerdict(event: HookEvent, verdict: Verdict): string | undefined {
  const notes = (verdict.operator_notes ?? []).map(({ framed }) => framed).join('\n\n');
  return formatAnswer(event, {
    denial: verdict.decision === 'allow' ? undefined : explain(verdict),
    context: notes === '' || !takesContext(event) ? undefined : notes,
  });
}

function explain({ decision, reason, approval_request_id: id, expires_at: until }: Verdict): string {
  if (decision === 'deny') return reason;
  return `${reason} (request ${id ?? ''}, until ${until ?? ''}). No decision has been made yet. Repeat exactly the same call later, or do something else.`;
}
