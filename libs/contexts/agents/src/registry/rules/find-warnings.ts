import type { Agent } from '../agent.ts';

/** Kinds of agents whose hooks request a check before tool calls. */
export const HOOKED_KINDS: readonly string[] = ['claude_code', 'codex'];
/**
 * A model call at least this many hours after the last permission check leads to a warning. The time is long, because
 * an agent that calls no tools requests no checks.
 */
export const SILENT_HOURS = 24;

export interface AgentWarning {
  readonly code: 'tool_calls_not_asked';
  readonly message: string;
}

/**
 * Returns warnings if the tool calls of the agent are probably not checked, so that its rules are not in force
 * (AGT-10).
 */
export function findWarnings(agent: Agent): readonly AgentWarning[] {
  const { agentKind, lifecycleState, lastModelCallAt: called, lastPermissionCheckAt: asked } = agent;
  if (lifecycleState !== 'active' || called === null || !HOOKED_KINDS.includes(agentKind)) return [];
  if (asked !== null && called.getTime() - asked.getTime() < SILENT_HOURS * 3_600_000) return [];
  const since =
    asked === null
      ? 'never asked for permission for a tool call'
      : `last asked for permission for a tool call at ${asked.toISOString()}`;
  const message = `The agent calls models and ${since}: its hook is not installed, not trusted, or does not run. Check it on the agent’s machine: steward agents validate ${agentKind.replaceAll('_', '-')}.`;
  return [{ code: 'tool_calls_not_asked', message }];
}
