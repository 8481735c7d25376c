import type { WorkflowKey } from '../approval-workflow.ts';

/** Returns the sealing context of a workflow's receivers, which binds the sealed receivers to the workflow. */
export function describeReceiversContext({ accountId, id }: WorkflowKey): string {
  return `workflow receivers ${accountId} ${id}`;
}
