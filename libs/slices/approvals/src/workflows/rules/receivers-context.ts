import type { WorkflowKey } from '../approval-workflow.ts';

/** What the sealed receivers of a workflow are bound to: moved to another one they do not open. */
export function describeReceiversContext({ accountId, id }: WorkflowKey): string {
  return `workflow receivers ${accountId} ${id}`;
}
