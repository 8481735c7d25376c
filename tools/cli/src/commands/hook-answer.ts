import { cleanText } from '../output.ts';

/** What an agent asks its hook about, by its own name for it. */
export interface HookEvent {
  readonly name: string;
  /** Whether the form of its answer is known. */
  readonly isKnown: boolean;
}

/** Asked where nobody said what: the event that every agent has. */
export const DEFAULT_EVENT: HookEvent = { name: 'PreToolUse', isKnown: true };

/** Whether the answer may hold further context for the model. */
export function takesContext({ name }: HookEvent): boolean {
  return name === 'PreToolUse';
}

/** In the form of the event; undefined: nothing is to be said, and the agent goes on as it would without a hook. */
export function formatAnswer(
  event: HookEvent,
  { denial, context }: { readonly denial?: string | undefined; readonly context?: string | undefined },
): string | undefined {
  const said = {
    ...(denial === undefined ? {} : describeDenial(event, cleanText(denial))),
    ...(context === undefined ? {} : { additionalContext: cleanText(context) }),
  };
  if (Object.keys(said).length === 0) return undefined;
  const answer = { hookSpecificOutput: { hookEventName: event.name, ...said } };
  // Of an event that nobody knows the older form of a no goes along.
  return JSON.stringify(event.isKnown ? answer : { ...answer, decision: 'block', reason: cleanText(denial ?? '') });
}

/** Codex takes no explicit "allow": silence is one. */
function describeDenial({ name }: HookEvent, reason: string): object {
  if (name === 'PermissionRequest') return { decision: { behavior: 'deny', message: reason } };
  return { permissionDecision: 'deny', permissionDecisionReason: reason };
}
