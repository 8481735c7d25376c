import { cleanText } from '../output.ts';

/** Event of an agent's hook, under the agent's own name for it. */
export interface HookEvent {
  readonly name: string;
  /** True if the output format for this event is known. */
  readonly isKnown: boolean;
}

/** Event that is used by default, which every agent supports. */
export const DEFAULT_EVENT: HookEvent = { name: 'PreToolUse', isKnown: true };

/** Returns true if the output may contain additional context for the model. */
export function takesContext({ name }: HookEvent): boolean {
  return name === 'PreToolUse';
}

/** Formats the output for the event; undefined if there is no output, so that the agent continues as without a hook. */
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
  // For an unknown event, the older form of a denial is added.
  return JSON.stringify(event.isKnown ? answer : { ...answer, decision: 'block', reason: cleanText(denial ?? '') });
}

/** Returns the agent's notation of a denial. Codex accepts no explicit "allow": an empty output means "allow". */
function describeDenial({ name }: HookEvent, reason: string): object {
  if (name === 'PermissionRequest') return { decision: { behavior: 'deny', message: reason } };
  return { permissionDecision: 'deny', permissionDecisionReason: reason };
}
