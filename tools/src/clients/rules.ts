export const DENIED = { hook: 'Nobody deletes the heron.', service: 'Nobody wipes the depot.' };
export const WORKFLOW = 'second-pair-of-eyes';
/** Name of the account's tool server. */
export const DEPOT = 'depot';

const SHELLS = ['local/Bash', 'local/shell', 'local/exec_command'];

/** Returns a condition on a command that contains one of these strings, whatever the agent calls the argument. */
function ofCommand(words: readonly string[]): string {
  const tests = words.flatMap((word) =>
    ['command', 'cmd'].map((name) => `(has(a.${name}) && string(a.${name}).contains("${word}"))`),
  );
  return `[args].exists(a, ${tests.join(' || ')})`;
}

const hold = { description: 'Shipping needs a yes.', action: 'require_approval', workflow: WORKFLOW };

/**
 * Builds a policy with calls that are denied and calls that need approval, through the hook and through the service.
 * @param reviewer - Person who decides
 */
export function buildPolicy(reviewer: string): object {
  return {
    version: '1',
    approval_workflows: [{ name: WORKFLOW, approvers: [reviewer], quorum: 1, expires_seconds: 600 }],
    rules: [
      {
        ...{ id: 'heron', description: DENIED.hook, action: 'deny' },
        ...{ match: { tools: SHELLS }, condition: ofCommand(['rm -r']) },
      },
      { id: 'held', ...hold, match: { tools: SHELLS }, condition: ofCommand(['approved.txt', 'declined.txt']) },
      // The rule has a condition, because a tool that is denied regardless of its arguments is not offered to the
      // agent.
      {
        ...{ id: 'wipe', description: DENIED.service, action: 'deny' },
        ...{ match: { tools: [`${DEPOT}/wipe`] }, condition: 'args.parcel == "denied"' },
      },
      { id: 'ship', ...hold, match: { tools: [`${DEPOT}/ship`] } },
    ],
  };
}
