import type { WorkflowKey } from '../approval-workflow.ts';

/** Returns the sealing context of a workflow's receivers: they cannot be opened for another workflow. */
export function describeReceiversContext({ accountId, id }: WorkflowKey): string {
  return `workflow receivers ${accountId} ${id}`;
}
