/** Returns a sentence that says which tools a built-in agent may use with these `allowed_tools` (EXEC-24). */
export function describeTools(allowed: readonly string[]): string {
  if (allowed.length > 0) return `The agent may call ${allowed.join(', ')}.`;
  return 'No tools are selected, so the agent may call all tools of its workspace, including a shell.';
}
